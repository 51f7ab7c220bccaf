import type {
  Document,
  Hop,
  NodeGroup,
  NodeTerm,
  Property,
  Statement,
  StringValue,
  Value,
} from '../syntax/ast.js';

/**
 * Writes a document in one plain spelling: a statement a line, pipes between the members of a group,
 * colons between keys and values, single quotes where they need no escape. Doc comments are kept, other
 * comments are not part of what a document says and are left out. Parsing the result gives the same
 * statements again, and printing those gives the same text.
 */
export function printDocument(document: Document): string {
  return document.statements.map((statement) => `${printStatement(statement)}\n`).join('');
}

function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'Pipeline': {
      const hops = statement.hops.map((hop) => printHop(hop)).join('');
      return printDoc(statement.doc, '') + printGroup(statement.head) + hops;
    }
    case 'CallChain': {
      const [first, ...calls] = statement.steps.map(({ name }) => name);
      return `${printDoc(statement.doc, '')}${first}${calls.map((name) => `.${name}()`).join('')}`;
    }
    case 'Import': {
      const names = statement.names === undefined ? '' : `{ ${printNames(statement.names)} } from `;
      return `import ${names}${quote(statement.specifier)}`;
    }
    case 'Export':
      return `export { ${printNames(statement.names)} }`;
  }
}

/** An edge with a doc comment of its own begins a line, because a comment ends one. */
function printHop({ type, properties, target, doc }: Hop): string {
  const lead = doc === undefined ? '' : `\n${printDoc(doc, '  ')}  `;
  return `${lead}-[:${type}${printMap(properties)}]->${printGroup(target)}`;
}

function printGroup({ nodes }: NodeGroup): string {
  return `(${nodes.map(printNode).join(' | ')})`;
}

function printNode({ id, labels, properties, doc }: NodeTerm): string {
  const lead = doc === undefined ? '' : `\n${printDoc(doc, '  ')}  `;
  const [first, ...others] = labels.map(({ name }) => name);
  const label = first === undefined ? '' : `: ${[first, ...others].join(':')}`;
  return `${lead}${id}${label}${printMap(properties)}`;
}

function printMap(properties: readonly Property[]): string {
  if (properties.length === 0) return '';
  // A doc comment needs a line of its own, and then every property gets one.
  if (properties.every(({ doc }) => doc === undefined)) {
    return ` { ${properties.map(printProperty).join(', ')} }`;
  }
  const lines = properties.map(
    (property) => `${printDoc(property.doc, '  ')}  ${printProperty(property)},\n`,
  );
  return ` {\n${lines.join('')}}`;
}

function printProperty({ key, value, fallback }: Property): string {
  return `${key}: ${printValue(value)}${fallback === undefined ? '' : ` = ${printValue(fallback)}`}`;
}

function printValue(value: Value): string {
  switch (value.kind) {
    case 'String':
      return printString(value);
    case 'Number':
      return printNumber(value.value, value.integer);
    case 'Boolean':
      return String(value.value);
    case 'Null':
      return 'null';
    case 'Word':
      return value.name + (value.nonNull ? '!' : '');
    case 'List':
      return `[${value.items.map(printValue).join(', ')}]${value.nonNull ? '!' : ''}`;
  }
}

function printString({ value }: StringValue): string {
  return quote(value);
}

/** The quote that the text does not hold; else single ones, with escapes. */
function quote(text: string): string {
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('"') ? `'${text.replaceAll("'", "\\'")}'` : `"${text}"`;
}

/** A number whose point or exponent matters keeps one: `2.0` is not the integer 2. */
function printNumber(value: number, integer: boolean): string {
  if (integer) return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
  const text = String(value);
  return /[.e]/.test(text) ? text.replace('e+', 'e') : `${text}.0`;
}

function printNames(names: readonly { readonly name: string }[]): string {
  return names.map(({ name }) => name).join(', ');
}

function printDoc(doc: string | undefined, indent: string): string {
  if (doc === undefined) return '';
  return doc
    .split('\n')
    .map((line) => `${indent}///${line === '' ? '' : ` ${line}`}\n`)
    .join('');
}
