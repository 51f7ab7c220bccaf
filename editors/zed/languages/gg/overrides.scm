(string) @string
(block_comment) @comment
[(comment) (doc_comment)] @comment.inclusive
