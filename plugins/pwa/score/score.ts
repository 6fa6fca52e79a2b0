import type { ResponseOf } from 'pentad'
import { z } from 'zod'
import { actionShape, SCORE_ITEMS, type ScoreItem, type Situation } from './score-items.ts'

const actionItemShape = z.object({
  ...{ id: z.string(), title: z.string(), description: z.string() },
  weight: z.number().describe('Points out of 100, to two decimals.'),
  action: actionShape,
})

/** A missing item. */
type ActionItem = ResponseOf<typeof actionItemShape>

const scoreResult = z.enum(['Excellent', 'Good', 'Average', 'Bad'])

/** Response format. Missing items require an active license. */
export const scoreShape = z.object({
  scoreResult,
  scorePercent: z.int().min(0).max(100),
  actionItems: z.array(actionItemShape).optional(),
})

type ScoreResult = z.output<typeof scoreResult>

/** The PWA score. */
export interface Score {
  readonly scoreResult: ScoreResult
  /** 0 to 100, rounded down. */
  readonly scorePercent: number
  /** Most important first. */
  readonly missing: readonly ActionItem[]
}

const SHARES = SCORE_ITEMS.filter(({ weight }) => weight === 'share').length
/** Points divided among the shares. */
const SHARED = 100 - SCORE_ITEMS.reduce((sum, { weight }) => sum + (weight === 'share' ? 0 : weight), 0)

export function scoreOf(situation: Situation): Score {
  const missing = SCORE_ITEMS.filter((item) => !item.isDone(situation))
  // Calculated in integers to avoid rounding errors.
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

/** Rating of a percentage. */
function resultOf(percent: number): ScoreResult {
  if (percent === 100) return 'Excellent'
  if (percent >= 50) return 'Good'
  return percent >= 25 ? 'Average' : 'Bad'
}
