/** State in `localStorage`, which may be blocked or full. */
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

/** Whether this is the first call in this session. */
export function isFirstInSession(name) {
  const isKnown = inStorage(() => sessionStorage.getItem(keyOf(name))) === '1'
  inStorage(() => sessionStorage.setItem(keyOf(name), '1'))
  return !isKnown
}

/** Remembers that the visitor dismissed something. */
export const dismiss = (name) => remember(`${name}-dismissed`, String(Date.now()))
export const isDismissed = (name, days) => Date.now() - Number(recall(`${name}-dismissed`) ?? 0) < days * DAY

if (isFirstInSession('visit')) remember('visits', String(Number(recall('visits') ?? 0) + 1))

export const isFirstVisit = () => Number(recall('visits') ?? 1) <= 1
