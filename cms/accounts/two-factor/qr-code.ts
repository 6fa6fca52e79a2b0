/**
 * QR codes (ISO/IEC 18004) of short texts: byte mode, error correction level M, versions 1 to 10, so up to 213 bytes. Made on the server,
 * because the content is a secret.
 */

/** Error correction of level M by version: codewords per block, and the number of blocks with their data codewords. */
const BLOCKS: readonly (readonly [
  correction: number,
  ...blocks: readonly (readonly [count: number, data: number])[],
])[] = [
  [10, [1, 16]],
  [16, [1, 28]],
  [26, [1, 44]],
  [18, [2, 32]],
  [24, [2, 43]],
  [16, [4, 27]],
  [18, [4, 31]],
  [22, [2, 38], [2, 39]],
  [22, [3, 36], [2, 37]],
  [26, [4, 43], [1, 44]],
]
/** Format information: level M, masked; the generator of its BCH code. */
const [LEVEL_M, FORMAT_MASK, FORMAT_GENERATOR] = [0, 0x5412, 0x537]
const VERSION_GENERATOR = 0x1f25
/** Data masks: whether a module is inverted. */
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Rows of modules; `undefined` is one that is still free. */
type Modules = (boolean | undefined)[][]

/**
 * The modules of a QR code, `true` for dark ones, without the quiet zone around it.
 * @throws RangeError if the text is too long
 */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = Buffer.from(text, 'utf8')
  const version = 1 + BLOCKS.findIndex((_, at) => bytes.length + (at < 9 ? 2 : 3) <= dataSize(at + 1))
  if (version === 0) throw new RangeError('The text is too long for a QR code.')
  const codewords = interleave(encodeData(bytes, version), version)
  const masked = MASKS.map((mask, number) => {
    const modules = drawPatterns(version)
    drawFormat(modules, number)
    drawData(modules, codewords, mask)
    return modules.map((row) => row.map((dark) => dark === true))
  })
  return masked.reduce((best, other) => (penalty(other) < penalty(best) ? other : best))
}

const blocksOf = (version: number) => {
  const [correction, ...groups] = BLOCKS[version - 1] ?? [0]
  return { correction, sizes: groups.flatMap(([count, data]) => Array<number>(count).fill(data)) }
}
const dataSize = (version: number) => blocksOf(version).sizes.reduce((sum, size) => sum + size)

/** The mode, the length, the bytes, a terminator, and padding. */
function encodeData(bytes: Buffer, version: number): number[] {
  const bits: number[] = []
  const append = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  append(4, 4)
  append(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) append(byte, 8)
  append(0, 4)
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
  for (let pad = 0; data.length < dataSize(version); pad++) data.push(pad % 2 === 0 ? 0xec : 0x11)
  return data
}

/** Splits the data into blocks, and adds the error correction of each. */
function interleave(data: readonly number[], version: number): number[] {
  const { correction, sizes } = blocksOf(version)
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0))
  const blocks = sizes.map((size, at) => data.slice(starts[at], (starts[at] ?? 0) + size))
  const generator = generatorOf(correction)
  const corrections = blocks.map((block) => remainder(block, generator))
  const columns = (rows: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, at) =>
      rows.flatMap((row) => row[at] ?? []),
    ).flat()
  return [...columns(blocks), ...columns(corrections)]
}

/** Product in GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a)
  return product
}

/** Coefficients of the Reed–Solomon generator polynomial, without the first one, which is 1. */
function generatorOf(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let round = 0; round < degree; round++) {
    for (let at = 0; at < degree; at++) result[at] = multiply(result[at] ?? 0, root) ^ (result[at + 1] ?? 0)
    root = multiply(root, 2)
  }
  return result
}

function remainder(data: readonly number[], generator: readonly number[]): number[] {
  const result = generator.map(() => 0)
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0)
    result.push(0)
    generator.forEach((coefficient, at) => {
      result[at] = (result[at] ?? 0) ^ multiply(coefficient, factor)
    })
  }
  return result
}

/** Value and check bits of a BCH code. */
function withCheck(value: number, length: number, generator: number): number {
  let rest = value
  for (let round = 0; round < length; round++) rest = (rest << 1) ^ ((rest >> (length - 1)) * generator)
  return (value << length) | rest
}

/** The patterns that do not depend on the data: finders, timing, alignment, version. */
function drawPatterns(version: number): Modules {
  const size = version * 4 + 17
  const modules: Modules = Array.from({ length: size }, () => Array(size).fill(undefined))
  const set = (x: number, y: number, dark: boolean) => {
    const row = modules[y]
    if (row && x >= 0 && x < size) row[x] = dark
  }
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  const ring = (x: number, y: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    ring(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  const centers = alignmentCenters(version, size)
  const last = centers.length - 1
  centers.forEach((x, column) => {
    centers.forEach((y, row) => {
      const isFinder = (column === 0 && (row === 0 || row === last)) || (column === last && row === 0)
      if (!isFinder) ring(x, y, 2, (distance) => distance !== 1)
    })
  })
  if (version >= 7) {
    const bits = withCheck(version, 12, VERSION_GENERATOR)
    for (let bit = 0; bit < 18; bit++) {
      const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)]
      set(far, near, ((bits >> bit) & 1) === 1)
      set(near, far, ((bits >> bit) & 1) === 1)
    }
  }
  return modules
}

function alignmentCenters(version: number, size: number): number[] {
  if (version === 1) return []
  return version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7]
}

/** The level of error correction and the mask, twice, and the module that is always dark. */
function drawFormat(modules: Modules, mask: number): void {
  const size = modules.length
  const bits = withCheck((LEVEL_M << 3) | mask, 10, FORMAT_GENERATOR) ^ FORMAT_MASK
  const set = (x: number, y: number, bit: number) => {
    const row = modules[y]
    if (row) row[x] = ((bits >> bit) & 1) === 1
  }
  for (let bit = 0; bit < 6; bit++) set(8, bit, bit)
  set(8, 7, 6)
  set(8, 8, 7)
  set(7, 8, 8)
  for (let bit = 9; bit < 15; bit++) set(14 - bit, 8, bit)
  for (let bit = 0; bit < 8; bit++) set(size - 1 - bit, 8, bit)
  for (let bit = 8; bit < 15; bit++) set(8, size - 15 + bit, bit)
  const row = modules[size - 8]
  if (row) row[8] = true
}

/** Fills the free modules in columns of two, upward and downward in turn, from the right. */
function drawData(modules: Modules, codewords: readonly number[], mask: (x: number, y: number) => boolean): void {
  const size = modules.length
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    // The timing pattern occupies a column of its own.
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
        const row = modules[y]
        if (!row || row[x] !== undefined) continue
        const dark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        row[x] = dark !== mask(x, y)
        bit++
      }
    }
  }
}

const FINDER_LIKE = /(?=10111010000|00001011101)/g

/** How hard the code is to read: long runs, blocks, patterns like finders, and an unequal share of dark modules. */
function penalty(modules: readonly (readonly boolean[])[]): number {
  const size = modules.length
  const at = (x: number, y: number) => modules[y]?.[x] === true
  const lines = modules.flatMap((row, index) => [row, modules.map((other) => other[index] === true)])
  let total = 0
  for (const line of lines) {
    const text = line.map(Number).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) total += run.length - 2
    total += 40 * [...text.matchAll(FINDER_LIKE)].length
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++)
      if (at(x, y) === at(x - 1, y) && at(x, y) === at(x, y - 1) && at(x, y) === at(x - 1, y - 1)) total += 3
  const dark = modules.flat().filter(Boolean).length
  return total + 10 * Math.floor(Math.abs(dark / size ** 2 - 0.5) * 20)
}
