import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAtomically } from 'pentad'
import { z } from 'zod'

const assetSchema = z.object({
  /** What it was made from and how: the identity of the source and the settings that count. */
  key: z.string(),
  /** File name. `null`: nothing better than the source came out. */
  name: z.string().nullable(),
  type: z.enum(['css', 'js', 'image', 'font']),
  /** Address of what it was made from. */
  source: z.string(),
  /** Bytes. */
  originalSize: z.number(),
  size: z.number(),
  /** Milliseconds since 1970. */
  usedAt: z.number(),
  /** The file is gone; who still asks for it is sent to the source. */
  isRemoved: z.boolean().optional(),
})

export type AssetRecord = z.output<typeof assetSchema>

/**
 * What was made from what, one JSON line a change, the last line of a key counts. Appending a line survives `kill -9`;
 * a line that was cut off is passed over, and what it told is made again.
 */
export interface AssetManifest {
  /** Newest record of every key, those without a file left out. */
  load(): Promise<AssetRecord[]>
  append(record: AssetRecord): Promise<void>
  /** Writes it anew with these records only. */
  rewrite(records: Iterable<AssetRecord>): Promise<void>
}

/** @param parts.folder where the assets are */
export function createAssetManifest(parts: { file: string; folder: string }): AssetManifest {
  const { file, folder } = parts
  /** Writes go one after another, so that none is lost while the file is written anew. */
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
        // A line that was cut off must not swallow this one.
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
