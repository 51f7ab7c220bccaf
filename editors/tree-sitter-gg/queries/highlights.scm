(doc_comment) @comment.documentation
[(comment) (block_comment)] @comment

["import" "export" "from"] @keyword.import

(string) @string
(number) @number
(boolean) @boolean
(null) @constant.builtin

(edge_type) @keyword
(label) @type
(node id: (name) @variable)
(pipeline head: (name) @variable)
(pipeline target: (name) @variable)
(import name: (name) @variable)
(export name: (name) @variable)

(property key: (name) @property)
(parameter key: (name) @variable.parameter)
(word (name) @type)

(call_chain function: (name) @function)
(call_chain value: (name) @variable)
(call function: (name) @function)

["-[" "]->" "|" "=" "!"] @operator
["(" ")" "{" "}" "[" "]"] @punctuation.bracket
["," ":" "." ";"] @punctuation.delimiter
