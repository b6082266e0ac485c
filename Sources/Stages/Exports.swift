// Whoever imports this module has what it stands on too.
@_exported public import Detection
@_exported public import Imports
@_exported public import Recognition
