[(properties) (parameters) (list) (group) (import) (export)] @indent.begin @indent
["}" ")" "]"] @indent.branch @indent.end @outdent
[(comment) (doc_comment) (block_comment)] @indent.ignore
