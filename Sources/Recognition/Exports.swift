// Whoever imports this module has what it stands on too.
@_exported public import StageParts
