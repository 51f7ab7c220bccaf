(properties "}" @end) @indent
(parameters ")" @end) @indent
(group ")" @end) @indent
(list "]" @end) @indent
