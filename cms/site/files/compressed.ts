import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type Koa from 'koa'
import { LRUCache } from 'lru-cache'
import { etagOf, type FoundFile } from './find-file.ts'

export type Coding = 'br' | 'gzip'

/** Best first. */
const CODINGS: readonly Coding[] = ['br', 'gzip']
/** Images, fonts, and media are compressed already. */
const TEXT = /^(?:text\/|application\/(?:javascript|json|manifest\+json|xml)\b|image\/svg\+xml)/
/** Shorter files hardly become shorter; longer ones would take a long time. In bytes. */
const SHORTEST = 1024
const LONGEST = 1_048_576
/** Longer files are compressed less, which takes a tenth of the time. In bytes. */
const QUICK = 262_144

const levelFor = (text: Buffer) => (text.length > QUICK ? 1 : 6)

const compress: Readonly<Record<Coding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: levelFor(text),
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => promisify(gzip)(text, { level: levelFor(text) }),
}

/** Files by path, version, and coding, for all sites of the process. */
const known = new LRUCache<string, Buffer>({ maxSize: 8_388_608, sizeCalculation: ({ length }) => length + 1 })
/** Files that are being compressed, by the same keys. */
const running = new Map<string, Promise<Buffer>>()

/** Whether responses with the file depend on `Accept-Encoding`. */
export function isCompressible(type: string, { size }: FoundFile): boolean {
  return TEXT.test(type) && size >= SHORTEST && size <= LONGEST
}

/** The best coding that the client accepts; ranges are those of the file itself. */
export function codingFor(context: Koa.Context): Coding | undefined {
  if (context.get('range') !== '') return undefined
  return CODINGS.find((coding) => context.acceptsEncodings(coding, 'identity') === coding)
}

/** The content in a coding; simultaneous calls for a file compress it once. Closes the file. */
export async function readCompressed(file: FoundFile, coding: Coding): Promise<Buffer> {
  const key = `${file.path} ${etagOf(file)} ${coding}`
  try {
    return known.get(key) ?? (await (running.get(key) ?? start(key, file, coding)))
  } finally {
    await file.handle.close()
  }
}

function start(key: string, file: FoundFile, coding: Coding): Promise<Buffer> {
  const run = async () => {
    const body = await compress[coding](await file.handle.readFile())
    known.set(key, body)
    return body
  }
  const body = run().finally(() => running.delete(key))
  running.set(key, body)
  return body
}
