import { attachedFile, decodePath, plainHost } from './attachment-url.ts'
import type { ExportFile } from './export-files.ts'
import { URLS } from './media-addresses.ts'
import { createMediaMap, type MediaMap } from './media-map.ts'
import { ownCopy } from './own-copy.ts'
import { readExports } from './read-elements.ts'
import { readRecord, readSite, type WxrItem } from './wxr.ts'
import { WxrError } from './wxr-error.ts'

/** Maximum number of hosts, and of files for each, that are collected until it is known whether they belong to the old site. */
const MOST_HOSTS = 1000
const MOST_FILES = 200

/**
 * Reads an export for its attachments, which are in any order, while every text needs all of them. A host that the export does not mention
 * is a former host of the site if at least half of the uploads that texts reference there are attachments.
 * @param onProgress receives the number of bytes read
 * @param onItem receives each item, and the URLs of the site from the head, current one first
 */
export async function scanMedia(
  files: readonly ExportFile[],
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
  onItem: (item: WxrItem, urls: readonly string[]) => void,
): Promise<MediaMap> {
  const head = new Map<string, string>()
  let urls: readonly string[] | undefined
  const attachments: { file: string; urls: readonly string[] }[] = []
  const unknownHosts = createUnknownHosts()
  try {
    for await (const { element, bytes } of readExports(files, signal)) {
      onProgress(bytes)
      const record = readRecord(element)
      if (record?.kind === 'head' && !head.has(record.name)) head.set(record.name, record.text)
      if (record?.kind !== 'item') continue
      urls ??= readSite(head)?.urls ?? []
      onItem(record.item, urls)
      const path = record.item.type === 'attachment' ? attachedFile(record.item) : undefined
      if (path !== undefined)
        attachments.push({ file: ownCopy(path), urls: [record.item.guid, record.item.attachmentUrl].map(ownCopy) })
      unknownHosts.note(record.item)
    }
  } catch (error) {
    // The import itself reports the error.
    if (!(error instanceof WxrError)) throw error
  }
  const media = createMediaMap(readSite(head)?.urls ?? [])
  for (const { file: path, urls } of attachments) media.add(path, urls)
  for (const host of unknownHosts.thatHave(media)) media.addHost(host)
  return media
}

/** The uploads that texts name, by host. */
function createUnknownHosts() {
  const uploads = new Map<string, Set<string>>()

  return {
    note({ content, excerpt }: WxrItem): void {
      for (const text of [content, excerpt]) {
        if (!/wp-content\\*\/uploads/.test(text)) continue
        for (const [, , host = '', path = ''] of text.matchAll(URLS)) {
          const [, file] = /\/wp-content\/uploads\/(?:sites\/\d+\/)?(.+)$/.exec(path.replace(/\\+\//g, '/')) ?? []
          const files = uploads.get(plainHost(host)) ?? new Set()
          if (file !== undefined && files.size < MOST_FILES && uploads.size < MOST_HOSTS)
            uploads.set(ownCopy(plainHost(host)), files.add(ownCopy(decodePath(file))))
        }
      }
    },
    thatHave(media: MediaMap): string[] {
      const isOld = (files: ReadonlySet<string>) => [...files].filter(media.isAttached).length * 2 >= files.size
      return [...uploads].filter(([host, files]) => !media.isKnown(host) && isOld(files)).map(([host]) => host)
    },
  }
}
