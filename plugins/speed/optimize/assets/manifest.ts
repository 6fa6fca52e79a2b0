import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAtomically } from 'pentad'
import { z } from 'zod'

const assetSchema = z.object({
  /** Identity of the source and the relevant settings. */
  key: z.string(),
  /** File name; `null` if no improvement was possible. */
  name: z.string().nullable(),
  type: z.enum(['css', 'js', 'image', 'font']),
  /** URL of the source. */
  source: z.string(),
  /** Bytes. */
  originalSize: z.number(),
  size: z.number(),
  /** Milliseconds since 1970. */
  usedAt: z.number(),
  /** The file was removed; requests for it are redirected to the source. */
  isRemoved: z.boolean().optional(),
})

export type AssetRecord = z.output<typeof assetSchema>

/**
 * Records of all assets, one JSON line per change; the last line of a key wins. Appending survives `kill -9`; a
 * truncated line is skipped and its asset is regenerated.
 */
export interface AssetManifest {
  /** The latest record of every key, without those whose file is missing. */
  load(): Promise<AssetRecord[]>
  append(record: AssetRecord): Promise<void>
  /** Rewrites the file with these records only. */
  rewrite(records: Iterable<AssetRecord>): Promise<void>
}

/** @param parts.folder folder of the assets */
export function createAssetManifest(parts: { file: string; folder: string }): AssetManifest {
  const { file, folder } = parts
  /** Serializes writes, so that none is lost while the file is rewritten. */
  let last = Promise.resolve()
  const inTurn = (write: () => Promise<void>) => {
    const turn = last.then(write)
    last = turn.catch(() => {})
    return turn
  }

  return {
    async load() {
      const [text, names] = await Promise.all([
        readFile(file, 'utf8').catch(() => ''),
        readdir(folder).catch((): string[] => []),
      ])
      const files = new Set(names)
      const records = new Map(
        text
          .split('\n')
          .flatMap(readLine)
          .map((record) => [record.key, record]),
      )
      return [...records.values()].filter(({ name, isRemoved }) => name === null || isRemoved || files.has(name))
    },
    append: (record) =>
      inTurn(async () => {
        await mkdir(dirname(file), { recursive: true })
        // The leading newline keeps a truncated line from corrupting this one.
        await appendFile(file, `\n${JSON.stringify(record)}`)
      }),
    rewrite: (records) =>
      inTurn(async () => {
        await mkdir(dirname(file), { recursive: true })
        await writeAtomically(file, [...records].map((record) => JSON.stringify(record)).join('\n'))
      }),
  }
}

function readLine(line: string): AssetRecord[] {
  if (line === '') return []
  try {
    const read = assetSchema.safeParse(JSON.parse(line))
    return read.success ? [read.data] : []
  } catch {
    return []
  }
}
