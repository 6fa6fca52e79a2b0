/** Capacity of a ring buffer, in samples. */
const CAPACITY = 1000

/** Maximum samples per IP address in a ring, so that no single visitor skews the median. */
const FROM_ONE_ADDRESS = 3

/** One measured value. */
export interface Sample {
  readonly value: number
  /** Numeric id of the metric; only the last sample per id counts. */
  readonly id: number
  /** Pseudonym of the visitor's network; 0 if unknown. */
  readonly address: number
}

/** A ring buffer with the latest samples of one metric, page group and device type. */
export interface Ring {
  /**
   * Updates the sample with the same id; otherwise replaces the oldest sample of an address that has three already;
   * otherwise appends, replacing the oldest sample if the ring is full.
   *
   * @param instead id of the sample to replace, when loading samples whose addresses are no longer known
   * @returns the id of the replaced sample of the same address
   */
  add(sample: Sample, instead?: number): number | undefined
  readonly size: number
  /** From the oldest to the newest. */
  samples(): Iterable<Sample>
  /** Unordered. */
  values(): Float64Array
}

/** A sample is three numbers in one array: value, id, address. A full ring takes 24 KB. */
const WIDTH = 3

export function createRing(): Ring {
  let data = new Float64Array(16 * WIDTH)
  let size = 0
  /** Index of the oldest sample; 0 until the ring is full. */
  let oldest = 0

  const placeOf = (age: number) => (oldest + age) % size
  const at = (place: number): Sample => ({
    value: data[place * WIDTH] ?? 0,
    id: data[place * WIDTH + 1] ?? 0,
    address: data[place * WIDTH + 2] ?? 0,
  })
  const put = (place: number, { value, id, address }: Sample) => data.set([value, id, address], place * WIDTH)

  function placeOfId(id: number): number | undefined {
    for (let place = 0; place < size; place++) if (data[place * WIDTH + 1] === id) return place
    return undefined
  }

  function placesOfAddress(address: number): number[] {
    const places: number[] = []
    for (let age = 0; address !== 0 && age < size; age++) {
      if (data[placeOf(age) * WIDTH + 2] === address) places.push(placeOf(age))
    }
    return places
  }

  function append(sample: Sample): void {
    if (size === CAPACITY) {
      put(oldest, sample)
      oldest = (oldest + 1) % CAPACITY
      return
    }
    if ((size + 1) * WIDTH > data.length) {
      const larger = new Float64Array(Math.min(data.length * 2, CAPACITY * WIDTH))
      larger.set(data)
      data = larger
    }
    put(size++, sample)
  }

  function* inOrder(): Iterable<Sample> {
    for (let age = 0; age < size; age++) yield at(placeOf(age))
  }

  function remove(id: number): void {
    const others = [...inOrder()].filter((sample) => sample.id !== id)
    size = 0
    oldest = 0
    for (const sample of others) append(sample)
  }

  return {
    get size() {
      return size
    },
    add(sample, instead) {
      const known = placeOfId(sample.id)
      const gone = instead === undefined ? undefined : placeOfId(instead)
      if (known !== undefined) {
        put(known, { ...sample, address: at(known).address })
        if (instead !== undefined && gone !== undefined) remove(instead)
        return undefined
      }
      if (gone !== undefined) {
        put(gone, sample)
        return undefined
      }
      const [first, ...later] = placesOfAddress(sample.address)
      if (first === undefined || later.length + 1 < FROM_ONE_ADDRESS) {
        append(sample)
        return undefined
      }
      const { id } = at(first)
      // Later samples of the address move up, so that the newest takes the latest position.
      let place = first
      for (const next of later) {
        put(place, at(next))
        place = next
      }
      put(place, sample)
      return id
    },
    values() {
      const values = new Float64Array(size)
      for (let place = 0; place < size; place++) values[place] = data[place * WIDTH] ?? 0
      return values
    },
    samples: inOrder,
  }
}
