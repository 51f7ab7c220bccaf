(node id: (name) @name label: (label) @context) @item
(pipeline (edge type: (edge_type) @name)) @item
