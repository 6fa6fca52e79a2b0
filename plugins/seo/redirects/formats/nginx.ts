import { encodePath, parseAddress } from '../matching/address.ts'
import { locationOf } from '../matching/target.ts'
import type { RedirectRule } from '../types.ts'
import { expressionOf } from './htaccess.ts'
import { quoted, quotedExpression, type ServerFormat, wordsOf } from './server-rules.ts'

/**
 * Directives for a `server` block of nginx. Exact redirects match the raw URL. Captures come from the decoded URL,
 * which may contain line breaks from a visitor: such URLs are not matched.
 */
export const nginx: ServerFormat = { write, reader: createReader }

const NO_LINE_BREAK = '(?![^\\r\\n]*[\\r\\n])'

function write(rule: RedirectRule): readonly string[] {
  const { match, query, caseSensitive, status } = rule
  const sign = caseSensitive ? '~' : '~*'
  const seesQuery = match === 'exact' || query === 'exact' || (match === 'wildcard' && rule.source.includes('?'))
  const expression = match === 'exact' ? exactExpression(rule) : NO_LINE_BREAK + expressionOf(rule)
  const result = rule.target === '' ? `${status}` : `${status} ${quoted(targetOf(rule))}`
  return [`if (${seesQuery ? '$request_uri' : '$uri'} ${sign} ${quoted(expression)}) { return ${result}; }`]
}

function exactExpression({ source, query }: RedirectRule): string {
  const { key, query: wanted } = parseAddress(source)
  const path = `^${quotedExpression(encodePath(key).replace(/\/$/, ''))}/?`
  if (query === 'exact') return `${path}${wanted === '' ? '' : `\\?${quotedExpression(wanted)}`}$`
  const parameters = wanted === '' ? [] : wanted.split('&')
  const needed = parameters.map((one) => `(?=[^?]*\\?(?:.*&)?${quotedExpression(one)}(?:&|$))`)
  return `^${needed.join('')}${path.slice(1)}(?:\\?.*)?$`
}

/** nginx expands variables in responses: other `$` signs are encoded. */
function targetOf({ target, match, query }: RedirectRule): string {
  let star = 0
  const filled = locationOf(target)
    .replace(/\$(?![1-9])/g, '%24')
    .replace(/\$/g, match === 'exact' ? '%24' : '$$')
    .replace(/\*/g, (sign) => (match === 'wildcard' ? `$${++star}` : sign))
  if (query !== 'pass') return filled
  return filled + (filled.includes('?') ? '&$args' : '$is_args$args')
}

function createReader(): (line: string) => object | undefined {
  let location: { source: string; match: 'exact' | 'regex'; caseSensitive: boolean } | undefined

  return (line) => {
    const opened = /^location\s+(=|~\*?)\s*(\S+|"[^"]*")\s*\{(.*)$/.exec(line)
    if (opened) {
      const [, sign = '', source = '', rest = ''] = opened
      const match = sign === '=' ? 'exact' : 'regex'
      location = { match, source: source.replace(/^"|"$/g, ''), caseSensitive: sign === '~' }
      return readReturn(rest, location)
    }
    const rewrite = /^rewrite\s/.test(line) ? wordsOf(line.replace(/;\s*$/, '')) : undefined
    if (rewrite) return readRewrite(rewrite)
    const found = location && readReturn(line, location)
    if (line.endsWith('}')) location = undefined
    return found
  }
}

function readReturn(text: string, location: object): object | undefined {
  // Unambiguous, to avoid exponential backtracking on a line of spaces.
  const [, status, target = ''] = /\breturn\s+(\d{3})(?=[\s;])([^;]*);/.exec(text) ?? []
  return status === undefined ? undefined : { ...location, status: Number(status), ...readTarget(target.trim()) }
}

function readRewrite([, source = '', target = '', flag = '']: readonly string[]): object | undefined {
  const status = { permanent: 301, redirect: 302 }[flag] ?? (/^https?:/.test(target) ? 302 : undefined)
  if (status === undefined) return undefined
  const dropsQuery = target.endsWith('?')
  const read = readTarget(dropsQuery ? target.slice(0, -1) : target)
  return { source, match: 'regex', status, ...read, query: dropsQuery ? 'ignore' : 'pass' }
}

/** `$scheme://$host` is this site; other variables are not supported. */
function readTarget(written: string): { target: string; query: 'ignore' | 'pass' } {
  const passes = /(?:\$is_args\$args|\?\$args|\?\$query_string)$/.test(written)
  const target = written
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:\$scheme|https?):\/\/\$(?:host|http_host|server_name)(?=\/|$)/, '')
    .replace(/(?:\$is_args\$args|\?\$args|\?\$query_string)$/, '')
  if (/\$(?![1-9])/.test(target)) throw new Error('Variables are not supported.')
  return { target, query: passes ? 'pass' : 'ignore' }
}
