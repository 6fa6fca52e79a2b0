import type { Bucket } from './listeners.ts'
import type { HookRecord, Store } from './store.ts'
import type { HookListener, HookReport } from './types.ts'

/** The hook inspector's list: every hook dispatched or with callbacks, sorted by name. */
export function inspect(store: Store): HookReport[] {
  return [...store.records.values()]
    .filter(({ filterCount, actionCount, listeners }) => filterCount + actionCount > 0 || listeners !== undefined)
    .map(reportRecord)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function reportRecord({ name, filterCount, actionCount, listeners, isProtective }: HookRecord): HookReport {
  return {
    name,
    count: filterCount + actionCount,
    listeners: listeners?.buckets.flatMap((bucket) => reportBucket(bucket, isProtective)) ?? [],
  }
}

function reportBucket(bucket: Bucket, isProtective: boolean): HookListener[] {
  return bucket.entries.map((entry) => ({
    owner: entry.owner?.id ?? '',
    // Computed on demand, because it can take some time.
    get callback() {
      return entry.callback.name || '(anonymous)'
    },
    priority: bucket.priority,
    ownPriority: entry.priority,
    acceptedArgs: Number.isFinite(entry.acceptedArgs) ? entry.acceptedArgs : null,
    onError: entry.closed || isProtective ? 'closed' : 'open',
    calls: bucket.callsOf(entry),
    time: rounded(entry.spent.milliseconds),
    longest: rounded(entry.spent.longest),
  }))
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
