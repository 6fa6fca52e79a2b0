/** Megabytes of each of the three semi-spaces of V8, on 64 bits. */
const DEFAULT = 64

const VALUE = /--max-semi-space-size[= ](\d+)/

/** Megabytes of V8's heap limit in which nothing stays: new objects lie there, and those that live on are moved out. */
export function youngGeneration(): number {
  const [, size] = VALUE.exec(`${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`) ?? []
  return 3 * (size === undefined ? DEFAULT : Number(size))
}
