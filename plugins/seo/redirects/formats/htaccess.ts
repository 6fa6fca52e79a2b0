import { folded, parseAddress } from '../matching/address.ts'
import { locationOf } from '../matching/target.ts'
import type { RedirectRule } from '../types.ts'
import { quoted, quotedExpression, type ServerFormat, wordsOf } from './server-rules.ts'

/** Status names of Apache (mod_alias). */
const NAMED: Readonly<Record<string, number>> = { permanent: 301, temp: 302, gone: 410 }

/** Apache `.htaccess`: writes mod_rewrite; reads mod_rewrite and mod_alias. */
export const htaccess: ServerFormat = { write, reader: createReader }

function write(rule: RedirectRule): readonly string[] {
  const { match, status, query, caseSensitive } = rule
  const noCase = caseSensitive ? '' : ' [NC]'
  const seesQuery = match !== 'exact' && (query === 'exact' || (match === 'wildcard' && rule.source.includes('?')))
  const subject = seesQuery ? '%{REQUEST_URI}?%{QUERY_STRING}' : '%{REQUEST_URI}'
  const conditions =
    match === 'exact' ? queryConditions(rule).map((one) => `RewriteCond %{QUERY_STRING} ${one}${noCase}`) : []
  const flags = [`R=${status}`, 'L', 'NE', ...(rule.target === '' ? [] : [query === 'pass' ? 'QSA' : 'QSD'])]
  return [
    ...conditions,
    `RewriteCond ${subject} ${quoted(expressionOf(rule))}${noCase}`,
    `RewriteRule ^ ${rule.target === '' ? '-' : quoted(substitution(rule))} [${flags.join(',')}]`,
  ]
}

function queryConditions({ source, query }: RedirectRule): string[] {
  const { query: wanted } = parseAddress(source)
  if (query === 'exact') return [quoted(`^${quotedExpression(wanted)}$`)]
  if (wanted === '') return []
  return wanted.split('&').map((parameter) => quoted(`(?:^|&)${quotedExpression(parameter)}(?:&|$)`))
}

/** A source as an expression for a decoded path. */
export function expressionOf({ source, match }: Pick<RedirectRule, 'source' | 'match'>): string {
  if (match === 'regex') return source
  if (match === 'exact') return `^${quotedExpression(parseAddress(source).key.replace(/^\/$/, ''))}/?$`
  return `^${source.split('*').map(quotedExpression).join('(.*)')}$`
}

/** Captures come from the last condition, which mod_rewrite calls `%1`. */
function substitution({ target, match }: RedirectRule): string {
  let star = 0
  const escaped = locationOf(target).replace(/%/g, '\\%')
  if (match === 'exact') return escaped.replaceAll('$', '\\$')
  return escaped.replace(/\$(\d)/g, '%$1').replace(/\*/g, (sign) => (match === 'wildcard' ? `%${++star}` : sign))
}

function createReader(): (line: string) => object | undefined {
  /** Conditions of the next rule: its path, or `undefined` if they are not supported. */
  let conditions: (string | undefined)[] = []

  return (line) => {
    const [directive = '', ...words] = wordsOf(line)
    switch (folded(directive)) {
      case 'redirectpermanent':
        return { source: words[0], target: words[1], status: 301 }
      case 'redirecttemp':
        return { source: words[0], target: words[1], status: 302 }
      case 'redirect':
      case 'redirectmatch':
        return readAlias(words, folded(directive) === 'redirectmatch' ? 'regex' : 'exact')
      case 'rewritecond':
        conditions.push(words[0] === '%{REQUEST_URI}' && !words[1]?.startsWith('!') ? words[1] : undefined)
        return undefined
      case 'rewriterule': {
        const before = conditions
        conditions = []
        return readRewrite(words, before)
      }
      default:
        return undefined
    }
  }
}

function readAlias(words: readonly string[], match: 'exact' | 'regex'): object {
  const [first = ''] = words
  const named = NAMED[folded(first)] ?? (/^\d{3}$/.test(first) ? Number(first) : undefined)
  const [source, target] = named === undefined ? words : words.slice(1)
  if (source === undefined) throw new Error('The directive has no source URL.')
  return { source, target, match, status: named ?? 302 }
}

function readRewrite(
  [pattern = '', target = '', flags = '']: readonly string[],
  conditions: readonly (string | undefined)[],
): object | undefined {
  const set = flags
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((flag) => flag.trim().toUpperCase())
  const redirect = set.find((flag) => /^R(?:=|$)/.test(flag))
  const isGone = set.includes('G')
  if (redirect === undefined && !isGone) return undefined
  const [path] = conditions
  const isOfPath = conditions.length === 1 && path !== undefined && /^(?:\^|\.\*)$/.test(pattern)
  if (conditions.length > 0 && !isOfPath) throw new Error('Rewrite conditions are not supported.')
  const captured = isOfPath ? target.replace(/%(\d)/g, '$$$1') : target
  const value = redirect?.slice(2) ?? ''
  const status = isGone ? 410 : value === '' ? 302 : (NAMED[folded(value)] ?? Number(value))
  return {
    source: isOfPath ? path : pattern.replace(/^\^(?!\/)/, '^/'),
    target: target === '-' ? '' : /^(?:[/$]|https?:)/i.test(captured) ? captured : `/${captured}`,
    match: 'regex',
    status,
    query: set.includes('QSA') ? 'pass' : 'ignore',
  }
}
