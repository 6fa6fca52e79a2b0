/** Values that nobody means well with, and how they are written into a request. */

/** Each as JSON text, because some of them are no JavaScript value: `1e309`, a key `__proto__`. */
export const HOSTILE: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  zero: '0',
  minus: '-1',
  'beyond int4': '2147483648',
  'below int4': '-2147483649',
  'beyond int8': '9223372036854775808',
  'beyond safe integers': '9007199254740993',
  infinite: '1e309',
  fraction: '1.5',
  'tiny fraction': '1e-400',
  'NaN as text': '"NaN"',
  'Infinity as text': '"Infinity"',
  'hexadecimal text': '"0x10"',
  'exponent as text': '"1e3"',
  'a digit of another script': '"\\u0663"',
  'empty text': '""',
  blank: '" \\t\\r\\n"',
  'NUL within': '"a\\u0000b"',
  'NUL written out': '"%00"',
  'a lone surrogate': '"\\ud800"',
  'a lone low surrogate': '"x\\udc00y"',
  'a right-to-left override': '"\\u202etxt.exe\\u200f"',
  emoji: '"\\ud83d\\udc69\\u200d\\ud83d\\ude80"',
  'not a character': '"\\uffff\\ufffe"',
  'combining marks': `"${'Z\\u0310'.repeat(200)}"`,
  SQL: '"\' OR 1=1 --"',
  'SQL with a backslash': '"\\\\\' UNION SELECT login, password FROM users; DROP TABLE posts; --"',
  'LIKE wildcards': '"%_\\\\%"',
  'full-text operators': '"\\" AND NEAR(a b, 1) OR * ^ : - ( & | ! <->"',
  markup: '"<script>alert(1)</script>"',
  'a template': '"<%= process.exit() %> {{7*7}} #{7*7}"',
  'a line for a header': '"x\\r\\nSet-Cookie: a=b"',
  'a way out': '"../../etc/passwd"',
  'a way out for Windows': '"..\\\\..\\\\secret.key"',
  '__proto__ as text': '"__proto__"',
  'constructor as text': '"constructor"',
  'a method of objects': '"toString"',
  'year 99999': '"99999-01-01T00:00:00"',
  'year 0': '"0000-00-00T00:00:00Z"',
  'the last minute of all': '"9999-12-31T23:59:59-12:00"',
  'the 31st of February': '"2026-02-31T00:00:00"',
  list: '[]',
  'list of everything': '[null, true, 1e309, "a\\u0000", [], {}]',
  'list of large ids': '[2147483648, 9007199254740993, -1]',
  'list of lists': '[[[[["x"]]]]]',
  'long list': `[${Array.from({ length: 2000 }, (_, at) => at).join()}]`,
  'long list in one text': `"${Array.from({ length: 1500 }, (_, at) => at).join()}"`,
  'list of texts with surprises': '"a,\\u0000,,%00,\\ud800, ,\'"',
  object: '{}',
  'object with a toString': '{"toString": "x", "valueOf": 1, "length": -1}',
  'a term filter': '{"terms": [2147483648, 1e309], "operator": "AND", "include_children": "x"}',
  __proto__: '{"__proto__": {"polluted": 1}}',
  'constructor.prototype': '{"constructor": {"prototype": {"polluted": 1}}}',
  '__proto__ deep within': '{"a": [{"b": {"__proto__": {"polluted": 1}}}]}',
  'deep object': `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  'long text': `"${'x'.repeat(100_000)}"`,
  'long number': `"${'9'.repeat(400)}"`,
}

/** `name=value` as a form or a query has it, with PHP's brackets for lists and objects. */
export function asForm(name: string, json: string): string {
  return pairs(name, JSON.parse(json), json).join('&')
}

function pairs(name: string, value: unknown, json: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pairs(`${name}[]`, item, String(item)))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => pairs(`${name}[${key}]`, item, String(item)))
  }
  return [`${encode(name)}=${encode(typeof value === 'string' ? value : json)}`]
}

/** Percent-encodes any text; half of a surrogate pair becomes the bytes that UTF-8 forbids. */
export function encode(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\s\S]/g, (letter) =>
    /^[\uD800-\uDFFF]$/.test(letter) ? '%ED%A0%80' : encodeURIComponent(letter),
  )
}
