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

const compress: Readonly<Record<Coding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => promisify(gzip)(text, { level: 6 }),
}

/** Files by path, version, and coding, for all sites of the process. */
const known = new LRUCache<string, Buffer>({ maxSize: 8_388_608, sizeCalculation: ({ length }) => length + 1 })

/** Whether responses with the file depend on `Accept-Encoding`. */
export function isCompressible(type: string, { size }: FoundFile): boolean {
  return TEXT.test(type) && size >= SHORTEST && size <= LONGEST
}

/** The best coding that the client accepts; ranges are those of the file itself. */
export function codingFor(context: Koa.Context): Coding | undefined {
  if (context.get('range') !== '') return undefined
  return CODINGS.find((coding) => context.acceptsEncodings(coding, 'identity') === coding)
}

/** The content in a coding. Closes the file. */
export async function readCompressed(file: FoundFile, coding: Coding): Promise<Buffer> {
  const key = `${file.path} ${etagOf(file)} ${coding}`
  try {
    const body = known.get(key) ?? (await compress[coding](await file.handle.readFile()))
    known.set(key, body)
    return body
  } finally {
    await file.handle.close()
  }
}
