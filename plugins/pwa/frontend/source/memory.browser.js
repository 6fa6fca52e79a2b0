/** What one browser remembers. Storage may be forbidden or full: then nothing is remembered. */
const DAY = 86_400_000

const inStorage = (use) => {
  try {
    return use()
  } catch {
    return undefined
  }
}

const keyOf = (name) => `pwa-${name}`

export const remember = (name, value) => inStorage(() => localStorage.setItem(keyOf(name), value))
export const recall = (name) => inStorage(() => localStorage.getItem(keyOf(name))) ?? undefined

/** Whether this is the first time in this window. */
export function isFirst(name) {
  const isKnown = inStorage(() => sessionStorage.getItem(keyOf(name))) === '1'
  inStorage(() => sessionStorage.setItem(keyOf(name), '1'))
  return !isKnown
}

/** Something that the visitor does not want to see again soon. */
export const dismiss = (name) => remember(`${name}-dismissed`, String(Date.now()))
export const isDismissed = (name, days) => Date.now() - Number(recall(`${name}-dismissed`) ?? 0) < days * DAY

if (isFirst('visit')) remember('visits', String(Number(recall('visits') ?? 0) + 1))

export const isFirstVisit = () => Number(recall('visits') ?? 1) <= 1
