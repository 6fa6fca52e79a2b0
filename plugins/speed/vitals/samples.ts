import { DEVICES, type Device, METRIC_IDS, type MetricId } from './metrics.ts'
import { createRing, type Ring, type Sample } from './ring.ts'

/** Maximum page groups; samples of further groups are discarded. Limits memory to 11 MB. */
const MAX_GROUPS = 30

/** Which ring a sample belongs to. */
export interface Place {
  /** Pages rendered alike: `home`, `single`, `single-product`. */
  readonly group: string
  readonly device: Device
  readonly metric: MetricId
}

/** All reported samples. */
export interface Samples {
  /** As `Ring.add`. */
  add(place: Place, sample: Sample, instead?: number): number | undefined
  /** Groups with samples, in order of first appearance. */
  groups(): string[]
  /** The values of a metric in ascending order, of all groups and devices or of those named. */
  values(metric: MetricId, only?: { readonly group?: string; readonly device?: Device }): Float64Array
  entries(): Iterable<Place & Sample>
  readonly size: number
}

export function createSamples(): Samples {
  const rings = new Map<string, Map<string, Ring>>()

  return {
    add({ group, device, metric }, sample, instead) {
      let ofGroup = rings.get(group)
      if (!ofGroup) {
        if (rings.size >= MAX_GROUPS) return undefined
        ofGroup = new Map()
        rings.set(group, ofGroup)
      }
      const name = `${device} ${metric}`
      const ring = ofGroup.get(name) ?? createRing()
      ofGroup.set(name, ring)
      return ring.add(sample, instead)
    },
    groups: () => [...rings.keys()],
    values(metric, { group, device } = {}) {
      const devices = device ? [device] : DEVICES
      const found = [...rings]
        .filter(([name]) => group === undefined || name === group)
        .flatMap(([, ofGroup]) =>
          devices.map((each) => ofGroup.get(`${each} ${metric}`)?.values() ?? new Float64Array()),
        )
      const values = new Float64Array(found.reduce((length, part) => length + part.length, 0))
      let at = 0
      for (const part of found) {
        values.set(part, at)
        at += part.length
      }
      return values.sort()
    },
    *entries() {
      for (const [group, ofGroup] of rings) {
        for (const device of DEVICES) {
          for (const metric of METRIC_IDS) {
            for (const sample of ofGroup.get(`${device} ${metric}`)?.samples() ?? []) {
              yield { group, device, metric, ...sample }
            }
          }
        }
      }
    },
    get size() {
      let size = 0
      for (const ofGroup of rings.values()) for (const ring of ofGroup.values()) size += ring.size
      return size
    },
  }
}
