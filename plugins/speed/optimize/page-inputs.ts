import type { PageContext } from 'pentad'
import type { Asset, AssetRequest, AssetStore } from './assets/store.ts'
import type { LocalFiles } from './files/local-files.ts'

type Read = (page: PageContext) => unknown

/** Records what the optimization of a page depends on, besides the text of the page and the settings. */
export interface PageInputs {
  /** @param name equal for reads that are the same */
  read<Value>(name: string, read: (page: PageContext) => Value): Value
  asset(request: AssetRequest): Asset | undefined
  /**
   * What was recorded.
   * @returns `undefined` if the page changes by itself soon, because assets are being generated
   */
  finish(): Promise<RecordedInputs | undefined>
}

/** What the optimization of a page depended on. */
export interface RecordedInputs {
  /** Whether all of it is the same for another rendering of the page. */
  areSame(page: PageContext): Promise<boolean>
}

/** @param parts.url absolute URL of the page */
export function createPageInputs(parts: {
  page: PageContext
  url: string
  assets: AssetStore
  files: LocalFiles
}): PageInputs {
  const { page, url, assets, files } = parts
  const reads = new Map<string, { readonly read: Read; readonly value: unknown }>()
  /** Names of the assets by key; `null` for a source that cannot be improved. */
  const found = new Map<string, string | null>()
  let isComplete = true

  return {
    read(name, read) {
      const value = read(page)
      reads.set(name, { read, value })
      return value
    },
    asset(request) {
      const asset = assets.want(request, url)
      if (asset === undefined) isComplete = false
      else found.set(request.key, asset?.file ?? null)
      return asset ?? undefined
    },
    async finish() {
      const used = files.found()
      if (!isComplete || !used) return undefined
      const written: { readonly read: Read; readonly text: string | undefined }[] = []
      for (const { read, value } of reads.values()) written.push({ read, text: await textOf(value) })
      return {
        async areSame(other) {
          for (const { read, text } of written) {
            const value = read(other)
            if (JSON.stringify(value instanceof Promise ? await value : value) !== text) return false
          }
          for (const [key, file] of found) {
            const asset = assets.known(key)
            if (asset === undefined || (asset?.file ?? null) !== file) return false
          }
          return files.areSame(used)
        },
      }
    },
  }
}

async function textOf(value: unknown): Promise<string | undefined> {
  return JSON.stringify(await value)
}
