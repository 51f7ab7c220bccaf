import type { Document, NodeGroup, NodeTerm, Property, Statement, Value } from '../../../src/compiler/syntax/ast.js';

/**
 * A tree as one line of text a statement, in one fixed spelling, so that a test shows at a glance what
 * was read: labels joined by `:`, strings as JSON, `=` before a fallback, doc comments as `<text>`.
 */
export function outline(document: Document): string[] {
  return document.statements.map(statement);
}

function statement(node: Statement): string {
  switch (node.kind) {
    case 'Pipeline': {
      const hops = node.hops.map((hop) => {
        const map = properties(hop.properties);
        return `${doc(hop.doc)}-[:${hop.type}${map}]->${group(hop.target)}`;
      });
      return doc(node.doc) + group(node.head) + hops.join('');
    }
    case 'CallChain':
      return `${doc(node.doc)}call ${node.steps.map(({ name }) => name).join(' → ')}`;
    case 'Import': {
      const names = node.names === undefined ? '' : `{${node.names.map(({ name }) => name).join(',')}} from `;
      return `import ${names}${node.specifier}`;
    }
    case 'Export':
      return `export {${node.names.map(({ name }) => name).join(',')}}`;
  }
}

function group({ nodes }: NodeGroup): string {
  return `(${nodes.map(term).join('|')})`;
}

function term(node: NodeTerm): string {
  const labels = node.labels.map(({ name }) => `:${name}`).join('');
  return doc(node.doc) + node.id + labels + properties(node.properties);
}

function properties(list: readonly Property[]): string {
  const one = ({ key, args, value: is, fallback, doc: text }: Property): string => {
    const parameters = args === undefined ? '' : `(${args.map(one).join(', ')})`;
    return `${doc(text)}${key}${parameters}:${value(is)}${fallback === undefined ? '' : `=${value(fallback)}`}`;
  };
  return list.length === 0 ? '' : ` {${list.map(one).join(', ')}}`;
}

function value(node: Value): string {
  switch (node.kind) {
    case 'String':
      return doc(node.doc) + JSON.stringify(node.value);
    case 'Number':
      return `${node.value}${node.integer ? '' : 'f'}`;
    case 'Boolean':
      return String(node.value);
    case 'Null':
      return 'null';
    case 'Word':
      return doc(node.doc) + node.name + (node.nonNull ? '!' : '');
    case 'List':
      return `[${node.items.map(value).join(', ')}]${node.nonNull ? '!' : ''}`;
  }
}

function doc(text: string | undefined): string {
  return text === undefined ? '' : `<${text.replaceAll('\n', '⏎')}>`;
}
