const nodeSection = 'a-node-becomes-an-object-type-and-an-input';
const labelSection = 'a-label-makes-an-enum-or-a-scalar';
const interfaceSection = 'a-label-makes-an-interface';
const argumentSection = 'a-field-may-take-arguments';
const inputSection = 'a-label-makes-an-input';
const processSection = 'process-becomes-a-query';
const foldSection = 'fold-becomes-a-mutation';

/** The rule behind each kind of element in an API: a sentence, and the section of the manual with the details. */
export const rules = {
  object: rule('A node becomes an object type.', nodeSection),
  interface: rule('A node with the label Interface becomes an interface.', interfaceSection),
  field: rule('A property of a node becomes a field.', nodeSection),
  fieldArgument: rule('An argument in the parentheses of a field is an argument of that field.', argumentSection),
  ownId: rule('A node that declares no field gets id: ID!, whose value is the id of the node.', nodeSection),
  input: rule('Every object type has an input of the same fields, all of them optional.', nodeSection),
  inputField: rule('The input of a node has a field for each field of the node, optional.', nodeSection),
  declaredInput: rule('A node with the label Input becomes exactly that input.', inputSection),
  declaredInputField: rule('A property of an input becomes a field of it, with its ! and default.', inputSection),
  enum: rule('A node with the label Enum becomes an enum.', labelSection),
  enumValue: rule('Each value of an enum node becomes a value of the enum.', labelSection),
  scalar: rule('A node with the label Scalar becomes a custom scalar.', labelSection),
  union: rule(
    'The sources of the RACE edges into a node become one union, which is returned in its place.',
    'race-becomes-a-union',
  ),
  query: rule('A PROCESS edge becomes a query for each of its targets, and a GET route.', processSection),
  mutation: rule('A FOLD edge becomes a mutation for each of its targets, and a POST route.', foldSection),
  subscription: rule('A FORK edge becomes a subscription for each of its targets.', 'fork-becomes-a-subscription'),
  ownArgument: rule('A typed property of an edge becomes an argument of its operation.', processSection),
  sourceArgument: rule(
    'A PROCESS edge without typed properties takes the declared fields of its sources as arguments.',
    processSection,
  ),
  wholeArgument: rule(
    'A FOLD edge without typed properties takes each of its sources, by its input, as an argument.',
    foldSection,
  ),
} as const;

export type RuleName = keyof typeof rules;

export type Rule = ReturnType<typeof rule>;

/** The page is a path from the root of the package. */
function rule(text: string, section: string) {
  return { text, page: `docs/mapping.md#${section}` };
}
