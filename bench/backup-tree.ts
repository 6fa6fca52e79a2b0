/** The files that `backup.ts` backs up. */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

/** The same bytes on every run: noise from a counter, or words of a small vocabulary. */
function noise(seed: string, bytes: number): Buffer {
  const chunks: Buffer[] = []
  for (let length = 0, block = 0; length < bytes; length += 32, block++) {
    chunks.push(createHash('sha256').update(`${seed}:${block}`).digest())
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

function prose(seed: string, bytes: number): Buffer {
  const letters = noise(seed, Math.ceil(bytes / 4))
  const words: string[] = []
  for (let length = 0, at = 0; length < bytes; at = (at + 2) % (letters.length - 1)) {
    const word = `${((letters[at] ?? 0) * 7919).toString(36)}${(letters[at + 1] ?? 0) < 64 ? '. ' : ' '}`
    words.push(word)
    length += word.length
  }
  return Buffer.from(words.join('')).subarray(0, bytes)
}

/** A fifth in small texts, two fifths in compressed images, two fifths in large files of both kinds. Reused by later runs. */
export async function makeTree(tree: string, megabytes: number): Promise<void> {
  if (existsSync(tree)) return
  console.log(`Creating a tree of ${megabytes} MB in ${tree}`)
  const fresh = `${tree}.new`
  await rm(fresh, { recursive: true, force: true })
  const dense = noise('dense', 8_000_000)
  const text = prose('text', 8_000_000)
  const slice = (from: Buffer, number: number, bytes: number) => {
    const at = (number * 7919) % (from.length - bytes)
    return Buffer.concat([Buffer.from(`${number}\n`), from.subarray(at, at + bytes)])
  }
  const files = async (kind: string, from: Buffer, total: number, bytes: number) => {
    for (let number = 0; number < total / bytes; number++) {
      const folder = join(fresh, kind, String(Math.floor(number / 200)))
      if (number % 200 === 0) await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `${number}.bin`), slice(from, number, bytes))
    }
  }
  const share = megabytes * 200_000
  await files('texts', text, share, 8_000)
  await files('images', dense, 2 * share, 150_000)
  for (const [kind, from] of [
    ['video', dense],
    ['log', text],
  ] as const) {
    const file = createWriteStream(join(fresh, `${kind}.bin`))
    for (let written = 0, number = 0; written < share; number++) {
      const chunk = slice(from, number, 4_000_000)
      if (!file.write(chunk)) await new Promise<void>((resolve) => file.once('drain', () => resolve()))
      written += chunk.length
    }
    file.end()
    await finished(file)
  }
  await rename(fresh, tree)
}
