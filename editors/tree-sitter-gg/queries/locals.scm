(source_file) @local.scope

; A node with labels or properties declares its id; all other mentions refer to it.
(node id: (name) @local.definition.type label: (label))
(node id: (name) @local.definition.type (properties))

(node id: (name) @local.reference)
(pipeline head: (name) @local.reference)
(pipeline target: (name) @local.reference)
