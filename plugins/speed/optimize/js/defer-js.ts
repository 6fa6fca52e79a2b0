import { LRUCache } from 'lru-cache'
import { type FindLocalFile, readText } from '../files/local-files.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import { perFragment } from '../html/fragment-facts.ts'
import type { PageWork, Transform } from '../transform.ts'
import { kindOfScript } from './script-kind.ts'

/** Code that depends on the parser or on the position of the script. */
const NEEDS_THE_PARSER = /\bdocument\s*\.\s*(?:write|open|currentScript|scripts)\b|\bcurrentScript\b/
/** `var settings = {…};` as printed by extensions: it has no dependencies. */
const ONLY_DATA = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:var\s+|window\.)[\w$]+\s*=\s*([[{"\d][\s\S]*)$/

/**
 * Defers classic scripts with `src`, preserving their order.
 *
 * A script is not deferred if others could depend on its order: before an inline script or a script that is not
 * deferred, and after a module or an already deferred script. External scripts are deferred only in `<head>`, since one
 * in the body may write at its position. Nothing is deferred on a page whose elements call functions on load (`onload`,
 * `onerror`).
 */
export function createDeferJs(parts: { findLocalFile: FindLocalFile }): Transform {
  const { findLocalFile } = parts
  /** Memoized by file identity. */
  const needsParser = new LRUCache<string, boolean>({ max: 500 })

  async function canWait(script: HtmlElement, document: HtmlDocument, work: PageWork): Promise<boolean> {
    const address = document.attribute(script, 'src') ?? ''
    const url = work.resolve(address)
    if (!url || script.isProtected || work.isExcluded(url.href) || work.isExcluded(address)) return false
    const file = await findLocalFile(url)
    if (!file) return url.origin !== work.origin && document.isIn(script, 'head')
    const known = needsParser.get(file.identity) ?? NEEDS_THE_PARSER.test(await readText(file))
    needsParser.set(file.identity, known)
    return !known
  }

  return {
    name: 'deferJs',
    isOn: ({ deferJs }) => deferJs === 'on',
    async run(document, work) {
      if (document.fragments.some(callsWhenLoaded)) return
      const scripts = document.allWithProtected('script').filter((script) => runs(document, script))
      const firstDeferred = scripts.findIndex(isDeferred)
      for (const [index, script] of [...scripts.entries()].reverse()) {
        if (isDeferred(script)) continue
        if (!script.attributes.has('src') && isOnlyData(document.content(script))) continue
        const isFree = firstDeferred < 0 || index < firstDeferred
        if (!script.attributes.has('src') || !isFree || !(await canWait(script, document, work))) return
        document.setAttributes(script, { defer: '' })
      }
    },
  }
}

/** Whether its execution order matters. */
function runs(document: HtmlDocument, script: HtmlElement): boolean {
  if (kindOfScript(script) === 'data' || document.isIn(script, 'noscript', 'template')) return false
  return !script.attributes.has('nomodule') && !(script.attributes.has('async') && script.attributes.has('src'))
}

function isDeferred(script: HtmlElement): boolean {
  return kindOfScript(script) === 'module' || (script.attributes.has('defer') && script.attributes.has('src'))
}

/** Whether one of its elements calls functions on load. */
const callsWhenLoaded = perFragment(({ elements }) =>
  elements.some(
    ({ name, attributes }) =>
      // A link's `onload` only enables the link.
      !['body', 'link', 'script'].includes(name) && (attributes.has('onload') || attributes.has('onerror')),
  ),
)

function isOnlyData(code: string): boolean {
  const data = ONLY_DATA.exec(code)?.[1]
  if (data === undefined) return false
  try {
    JSON.parse(data.trimEnd().replace(/;$/, ''))
    return true
  } catch {
    return false
  }
}
