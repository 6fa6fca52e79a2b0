/** Samples that a ring holds (contract 6). */
const CAPACITY = 1000

/** Samples of one address in one ring, so that no single visitor moves the median (contract 6). */
const FROM_ONE_ADDRESS = 3

/** One measured value. */
export interface Sample {
  readonly value: number
  /** Of the metric's own id: one vote for each, the last one. A whole number. */
  readonly id: number
  /** Of the visitor's address; 0 where nobody knows it any more. */
  readonly address: number
}

/** The latest samples of one metric on pages of one group and one kind of device. */
export interface Ring {
  /**
   * Changes the sample with the same id; else goes where the oldest one is of an address that has three already; else
   * where the oldest of all is once the ring is full.
   *
   * @param instead id of a sample that goes: where addresses are known no more, that is all that is left of the limit
   * @returns the id of the sample of the same address that had to go
   */
  add(sample: Sample, instead?: number): number | undefined
  readonly size: number
  /** From the oldest to the newest. */
  samples(): Iterable<Sample>
  /** In no order. */
  values(): Float64Array
}

/** A sample is three numbers in one array: value, id, address. A full ring takes 24 KB, one with few samples little. */
const WIDTH = 3

export function createRing(): Ring {
  let data = new Float64Array(16 * WIDTH)
  let size = 0
  /** Place of the oldest sample; not 0 only once the ring is full. */
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
      // Its later ones move up, so that the newest stands in the youngest of its places.
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
