import { basename, extname } from 'node:path'
import { type AssetRequest, MAX_SIZE_RATIO } from '../assets/store.ts'
import { type FindLocalFile, type LocalFile, readText } from '../files/local-files.ts'
import { hashesScripts } from '../html/content-policy.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import { memoize } from '../memoize.ts'
import type { PageWork, Transform } from '../transform.ts'
import { isMovable, minifyJs } from './js-code.ts'
import { kindOfScript, type ScriptKind } from './script-kind.ts'

type RunKind = Exclude<ScriptKind, 'data'>

/** Minifies script files of this site (as assets) and inline scripts. Data blocks are unchanged. */
export function createMinifyJs(parts: { findLocalFile: FindLocalFile }): Transform {
  const { findLocalFile } = parts
  /** Minified inline scripts; `''` if one cannot be minified. */
  const minified = {
    classic: memoize(async (code) => (await minifyJs(code, 'classic')) ?? ''),
    module: memoize(async (code) => (await minifyJs(code, 'module')) ?? ''),
  }

  async function minifyInline(code: string, kind: RunKind): Promise<string | undefined> {
    const shorter = await minified[kind](code)
    // `<!--` in a script changes how the page is parsed up to `</script>`.
    return shorter === '' || /<\/script|<!--/i.test(shorter + code) ? undefined : shorter
  }

  async function useCopy(script: HtmlElement, kind: RunKind, document: HtmlDocument, work: PageWork): Promise<void> {
    const url = work.resolve(document.attribute(script, 'src') ?? '')
    const file = url && !work.isExcluded(url.href) ? await findLocalFile(url) : undefined
    const asset = url && file && work.asset(minifiedScript(url, file, kind))
    // The integrity hash is that of the original.
    if (asset) document.setAttributes(script, { src: work.assetUrl(asset), integrity: null })
  }

  return {
    name: 'minifyJs',
    isOn: (settings) => settings.minifyJs === 'on',
    async run(document, work) {
      const isHashed = hashesScripts(work.policies)
      for (const script of document.all('script')) {
        const kind = kindOfScript(script)
        if (kind === 'data' || document.isIn(script, 'svg', 'math', 'template') || script.contentEnd === script.end)
          continue
        if (script.attributes.has('src')) {
          await useCopy(script, kind, document, work)
          continue
        }
        const code = document.content(script)
        if (isHashed || work.isExcluded(code)) continue
        const shorter = await minifyInline(code, kind)
        if (shorter !== undefined) document.setContent(script, shorter)
      }
    },
  }
}

function minifiedScript(url: URL, file: LocalFile, kind: RunKind): AssetRequest {
  return {
    key: `js 1 ${kind} ${file.identity}`,
    type: 'js',
    source: url.pathname + url.search,
    async make() {
      const code = await readText(file)
      const originalSize = Buffer.byteLength(code)
      const content = isMovable(code, kind) ? await minifyJs(code, kind) : undefined
      if (content === undefined || Buffer.byteLength(content) > originalSize * MAX_SIZE_RATIO) return undefined
      return { name: basename(url.pathname, extname(url.pathname)), extension: 'js', content, originalSize }
    },
  }
}
