// Whoever imports this module has what it stands on too.
@_exported public import Drawing
@_exported public import Graph
