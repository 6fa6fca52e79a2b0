import { basename, extname } from 'node:path'
import type { ExtensionHost } from 'pentad'
import { type AssetWish, WORTH_IT } from '../assets/store.ts'
import { type FindLocalFile, type LocalFile, readText } from '../files/local-files.ts'
import { hashesScripts, readPolicies } from '../html/content-policy.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import { onceForEach } from '../once-for-each.ts'
import type { PageWork, Transform } from '../transform.ts'
import { isMovable, minifyJs } from './js-code.ts'
import { kindOfScript, type ScriptKind } from './script-kind.ts'

type RunKind = Exclude<ScriptKind, 'data'>

/** Script files of this site become assets, inline scripts get shorter. What is no script for a browser stays. */
export function createMinifyJs(parts: { host: ExtensionHost; findLocalFile: FindLocalFile }): Transform {
  const { host, findLocalFile } = parts
  /** Inline scripts; `''` if one stays. */
  const minified = {
    classic: onceForEach(async (code) => (await minifyJs(code, 'classic')) ?? ''),
    module: onceForEach(async (code) => (await minifyJs(code, 'module')) ?? ''),
  }

  async function minifyInline(code: string, kind: RunKind): Promise<string | undefined> {
    const shorter = await minified[kind](code)
    // `<!--` in a script changes how a page is read up to `</script>`.
    return shorter === '' || /<\/script|<!--/i.test(shorter + code) ? undefined : shorter
  }

  async function useCopy(script: HtmlElement, kind: RunKind, document: HtmlDocument, work: PageWork): Promise<void> {
    const url = work.resolve(document.attribute(script, 'src') ?? '')
    const file = url && !work.isExcluded(url.href) ? await findLocalFile(url) : undefined
    const asset = url && file && work.asset(minifiedScript(url, file, kind))
    // The hash is that of the original.
    if (asset) document.setAttributes(script, { src: work.assetUrl(asset), integrity: null })
  }

  return {
    name: 'minifyJs',
    isOn: (settings) => settings.minifyJs === 'on',
    async run(document, page, work) {
      const isHashed = hashesScripts(readPolicies(host, page, document))
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

function minifiedScript(url: URL, file: LocalFile, kind: RunKind): AssetWish {
  return {
    key: `js 1 ${kind} ${file.identity}`,
    type: 'js',
    source: url.pathname + url.search,
    async make() {
      const code = await readText(file)
      const originalSize = Buffer.byteLength(code)
      const content = isMovable(code, kind) ? await minifyJs(code, kind) : undefined
      if (content === undefined || Buffer.byteLength(content) > originalSize * WORTH_IT) return undefined
      return { name: basename(url.pathname, extname(url.pathname)), extension: 'js', content, originalSize }
    },
  }
}
