import { type Action, SCORE_ITEMS, type ScoreItem, type Situation } from './score-items.ts'

export type ScoreResult = 'Excellent' | 'Good' | 'Average' | 'Bad'

/** What is still missing (contract 4). */
export interface ActionItem {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Points of 100, to two decimals. */
  readonly weight: number
  readonly action: Action
}

/** How much of an app the site is. */
export interface Score {
  readonly scoreResult: ScoreResult
  /** 0 to 100, rounded down. */
  readonly scorePercent: number
  /** The heaviest first. */
  readonly missing: readonly ActionItem[]
}

const SHARES = SCORE_ITEMS.filter(({ weight }) => weight === 'share').length
/** Points that the shares are parts of. */
const SHARED = 100 - SCORE_ITEMS.reduce((sum, { weight }) => sum + (weight === 'share' ? 0 : weight), 0)

export function scoreOf(situation: Situation): Score {
  const missing = SCORE_ITEMS.filter((item) => !item.isDone(situation))
  // Counted in parts of a share, which are whole numbers: sums of fractions would miss 25 and 100.
  const parts = missing.reduce((sum, item) => sum - partsOf(item), 100 * SHARES)
  const scorePercent = Math.floor(parts / SHARES)
  return {
    scoreResult: resultOf(scorePercent),
    scorePercent,
    missing: missing.map((item) => {
      const { id, title, description, action } = item
      return { id, title, description, weight: Math.round((100 * partsOf(item)) / SHARES) / 100, action }
    }),
  }
}

function partsOf({ weight }: ScoreItem): number {
  return weight === 'share' ? SHARED : weight * SHARES
}

/** services.md 2.3 */
function resultOf(percent: number): ScoreResult {
  if (percent === 100) return 'Excellent'
  if (percent >= 50) return 'Good'
  return percent >= 25 ? 'Average' : 'Bad'
}
