/** Code of hostile guests by what it tries, each the body of an async function, and how it must end. */
export interface HostileCode {
  readonly what: string
  readonly code: string
  /** `cpu`, `memory`, `wall`: ended for it. `error`: it throws. Anything else is what it may return. */
  readonly ends: 'cpu' | 'memory' | 'wall' | 'error' | 'ended' | { readonly value: unknown }
}

const value = (given: unknown) => ({ value: given })
const list = (ends: HostileCode['ends'], codes: Readonly<Record<string, string>>): HostileCode[] =>
  Object.entries(codes).map(([what, code]) => ({ what, code, ends }))

export const HOSTILE: readonly HostileCode[] = [
  ...list('cpu', {
    'loops forever': 'for (;;) {}',
    'computes in the engine': 'return (3n ** 200_000n).toString().length',
    'loops in try and finally': 'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
    'loops after an await': 'await 0; for (;;) {}',
    'loops in promise jobs': 'const again = () => Promise.resolve().then(again); await again()',
    'loops in a getter': 'return { get value() { for (;;) {} } }.value',
    'loops in a getter of its result': 'return { get value() { for (;;) {} } }',
    'loops in toJSON of its result': 'return { toJSON() { for (;;) {} } }',
    'loops in a proxy': 'return new Proxy({}, { get() { for (;;) {} } }).any',
    'loops in a proxy as its result': 'return new Proxy({}, { ownKeys() { for (;;) {} } })',
    'loops in toString of an error': 'throw { get stack() { for (;;) {} }, toString() { for (;;) {} } }',
    'loops in a thenable': 'return { then() { for (;;) {} } }',
    'loops in a comparison of sort': '[3, 2, 1].sort(() => { for (;;) {} })',
    'loops in a generator': 'function* all() { for (;;) yield 1 }; for (const one of all()) if (one === 2) return',
    'loops in an async generator':
      'async function* all() { for (;;) yield 1 }; for await (const one of all()) if (one === 2) return',
    'loops in a constructor of a subclass of Promise':
      'class Own extends Promise { constructor(run) { super(run); for (;;) {} } }; await new Own(() => {})',
    'loops in Symbol.hasInstance': '1 instanceof { [Symbol.hasInstance]() { for (;;) {} } }',
    'loops in eval': "(0, eval)('for (;;) {}')",
    'loops in new Function': "new Function('for (;;) {}')()",
    'backtracks in a regular expression': "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    'backtracks in replace': "'x'.repeat(30).concat('y').replace(/(x+x+)+z/, '')",
    'backtracks in split': "('a'.repeat(35) + '!').split(/(?:a|aa)+$/)",
    'parses JSON with a reviver that loops': "JSON.parse('[1]', () => { for (;;) {} })",
    'loops in a tagged template': '((strings) => { for (;;) {} })`x`',
    'asks the host in a loop': "for (;;) globalThis.ask('nothing')",
  }),
  ...list('ended', {
    'allocates arrays': 'const all = []; for (;;) all.push(new Array(10_000).fill(1))',
    'allocates text': "let text = 'x'; for (;;) text += text + Math.random()",
    'allocates buffers': 'const all = []; for (;;) all.push(new Uint8Array(1_000_000))',
    'allocates and catches': 'const all = []; for (;;) try { all.push(new Uint8Array(1_000_000)) } catch {}',
    'makes 100,000 objects after an await':
      'await 0; globalThis.all = Array.from({ length: 100_000 }, (_, at) => ({ at, text: String(at) })); return all.length',
    'makes 100,000 promises': 'await Promise.all(Array.from({ length: 100_000 }, () => Promise.resolve()))',
    'fills a map': 'const all = new Map(); for (let at = 0; ; at++) all.set(at, { at })',
    'writes a large number': 'return String(9n ** 999_999n).length',
    'nests an object for JSON': 'let deep = {}; for (let at = 0; at < 200_000; at++) deep = { deep }; return deep',
    'returns a huge text': "return 'x'.repeat(3_000_000)",
    'sorts with random comparisons':
      'return Array.from({ length: 100_000 }, (_, at) => at).sort(() => Math.random() - 0.5).length',
  }),
  ...list('memory', {
    'allocates one huge array': 'new Array(2 ** 32 - 1).fill(0)',
    'allocates one huge text': "'x'.repeat(2 ** 29)",
  }),
  ...list('error', {
    'allocates one huge buffer': 'new ArrayBuffer(2 ** 31)',
    recurses: 'const again = () => again() + 1; again()',
    'recurses in a getter': 'const one = { get one() { return this.one } }; one.one',
    'recurses in JSON': 'const one = {}; one.one = one; return one',
    'nests JSON': "JSON.parse('['.repeat(1_000_000))",
    'sends a message that is no text': 'globalThis.rawSend({})',
    'calls a method of the prototype': "globalThis.ask('constructor')",
    'calls __proto__': "globalThis.ask('__proto__')",
    'calls hasOwnProperty': "globalThis.ask('hasOwnProperty')",
    'imports a module of Node': "const name = 'node:fs'; await import(name)",
    'imports a file': "const name = 'file:///etc/passwd'; await import(name)",
    'throws undefined': 'throw undefined',
    'rejects with null': 'return Promise.reject(null)',
    'has no end of error causes': "const error = new Error('x'); error.cause = error; throw error",
  }),
  ...list(value('undefined'), {
    'looks for process': 'return typeof process',
    'looks for require': 'return typeof globalThis.require',
    'looks for the std module of QuickJS': 'return typeof std',
    'looks for the os module of QuickJS': 'return typeof os',
    'looks for WebAssembly': 'return typeof WebAssembly',
    'looks for Worker': 'return typeof Worker',
    'looks for Deno and Bun': 'return typeof (globalThis.Deno ?? globalThis.Bun)',
    'looks for process from the constructor of a host function':
      "return typeof new globalThis.rawAsk.constructor('return globalThis')().process",
    'looks for process from an error':
      "try { null.x } catch (error) { return typeof error.constructor.constructor('return globalThis')().process }",
    'looks for frames of the host':
      "let found = 'undefined'; Error.prepareStackTrace = (_, frames) => { found = typeof frames[0].getThis?.() }; new Error('x').stack; return found === 'object' ? 'object' : 'undefined'",
  }),
  ...list(value('fine'), {
    'changes prototypes': "Object.prototype.status = 200; Array.prototype.push = () => {}; return 'fine'",
    'replaces JSON and Promise': "JSON.stringify = () => 'bad'; globalThis.Promise = class {}; return 'fine'",
    'sets __proto__ of its result': 'return JSON.parse(\'"fine"\')',
    'sends a second result': "globalThis.rawSend('=' + JSON.stringify({ value: 'other' })); return 'fine'",
    'replies to a request that does not exist':
      "globalThis.rawSend('?' + JSON.stringify({ id: 'x', method: 'nothing' })); return 'fine'",
    'sends a request that is no JSON': "return JSON.parse(globalThis.rawAsk('{')).error ? 'fine' : 'bad'",
    'ends another call': "globalThis.rawSend('!' + JSON.stringify({ call: 1 })); return 'fine'",
  }),
  ...list('wall', { 'waits for a promise that never settles': 'await new Promise(() => {})' }),
]
