import { parseSync } from 'oxc-parser';

/**
 * A function of a source file, without those within it.
 * @typedef {object} SourceFunction
 * @property {string} name `Class.method`, `outer.inner`; what has no name is called by where it stands: `catch()` is an argument of that call, `@click` the
 *   value of that attribute in a template. The second one of a name is called `catch() 2`. Lines are not in it: they change with every edit.
 * @property {number} line
 * @property {number} start of its body, an offset
 * @property {number} end
 */

/**
 * What can run in a source file: the same for each bundle that it is in.
 * @typedef {object} SourceShape
 * @property {readonly number[]} lines in which a statement begins, from 1
 * @property {readonly SourceFunction[]} functions
 */

/** A function in one of these has the name of its place. */
const PASSES_NAME = new Set([
  'ConditionalExpression',
  'LogicalExpression',
  'AwaitExpression',
  'ParenthesizedExpression',
  'ChainExpression',
]);
/** The attribute at the end of the text before a value in a template. */
const ATTRIBUTE = /([@.?]?[\w-]+)=["']?$/;

/** Only types, or nothing that runs by itself: esbuild leaves no code for it. */
const NO_CODE = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ExportDefaultDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSModuleDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'BlockStatement',
  'EmptyStatement',
]);

/**
 * Reads the statements and functions of a TypeScript file.
 * @param {string} file its name, for the dialect
 * @param {string} text
 * @returns {SourceShape}
 */
export function shapeOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const lineOf = lineFinder(text);
  const lines = new Set();
  const functions = [];
  const times = new Map();
  visit(program, { names: [], key: undefined });
  return { lines: [...lines].sort((one, other) => one - other), functions };

  function visit(node, { names, key }) {
    if (node.declare === true) return;
    const { type } = node;
    const isStatement =
      (type.endsWith('Statement') || type === 'VariableDeclaration' || type === 'PropertyDefinition') && !NO_CODE.has(type);
    if (isStatement && hasCode(node)) lines.add(lineOf(node.start));
    const isFunction = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);
    const own = isFunction ? (node.id?.name ?? key) : type.startsWith('Class') ? (node.id?.name ?? key) : undefined;
    const inner = isFunction ? numbered([...names, own ?? 'function']) : own === undefined ? names : [...names, own];
    if (isFunction && node.body && !isEmpty(node.body)) {
      functions.push({ name: nameOf(inner), line: lineOf(node.start), start: node.body.start, end: node.body.end });
    }
    for (const [name, value] of Object.entries(node)) {
      if (name === 'parent' || name === 'typeAnnotation' || name === 'returnType' || name === 'typeParameters') continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child !== null && typeof child === 'object' && typeof child.type === 'string') {
          visit(child, { names: inner, key: PASSES_NAME.has(type) ? key : keyOf(node, child) });
        }
      }
    }
  }

  /** Tells functions of the same name apart. */
  function numbered(path) {
    const name = nameOf(path);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? path : [...path.slice(0, -1), `${path.at(-1)} ${time}`];
  }

  /** A field has code only with a value. */
  function hasCode({ type, value }) {
    return type !== 'PropertyDefinition' || (value !== null && value !== undefined);
  }
}

function nameOf(names) {
  return names.join('.');
}

function isEmpty(body) {
  return body.type === 'BlockStatement' && body.body.length === 0;
}

/** What a function without a name of its own is called: the variable, field, property, method or attribute that it is the value of, or the call that it is given to. */
function keyOf(node, child) {
  switch (node.type) {
    case 'VariableDeclarator':
      return node.init === child ? node.id.name : undefined;
    case 'AssignmentPattern':
    case 'AssignmentExpression':
      return node.right === child ? lastName(node.left) : undefined;
    case 'PropertyDefinition':
    case 'MethodDefinition':
    case 'Property':
      return node.value === child && node.computed !== true ? memberName(node) : undefined;
    case 'CallExpression':
    case 'NewExpression':
      return node.arguments.includes(child) ? `${lastName(node.callee) ?? 'call'}()` : undefined;
    case 'TemplateLiteral':
      return ATTRIBUTE.exec(node.quasis[node.expressions.indexOf(child)]?.value.raw ?? '')?.[1];
    default:
      return undefined;
  }
}

function lastName(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  return node.property.type === 'PrivateIdentifier' ? `#${node.property.name}` : node.property.name;
}

function memberName({ key, kind }) {
  const name = key.type === 'PrivateIdentifier' ? `#${key.name}` : (key.name ?? String(key.value));
  return kind === 'get' || kind === 'set' ? `${kind} ${name}` : name;
}

function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
