[(pipeline) (properties) (parameters) (list) (group) (import) (export) (block_comment)] @fold
