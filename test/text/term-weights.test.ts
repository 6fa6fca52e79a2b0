import assert from 'node:assert/strict'
import { isContentWord, termWeights, wordsOf } from 'pentad'

const language = { code: 'eng', isCommon: (word: string) => word === 'the' }

describe('termWeights', () => {
  for (const [name, text] of [
    ['repeated words', 'The night train, the night train! Night\ntrains \t leave.'],
    ['words without blanks between them', '東京都の電車 東京都の電車 ภาษาไทย ภาษาไทย.'],
    [
      'characters that only look like blanks',
      'night\ufefftrain night\u00a0train \u0301night it’s e-mail 1,000 1,000 a_b',
    ],
  ] as const)
    it(`counts each occurrence in a text with ${name}`, () => {
      const counts = new Map<string, number>()
      for (const { term, folded } of wordsOf(text))
        if (isContentWord(term) && !language.isCommon(folded)) counts.set(term, (counts.get(term) ?? 0) + 1)
      const weights = termWeights({ title: '', headings: '', text }, language)
      assert.deepEqual([...weights.keys()].sort(), [...counts.keys()].sort())
      const [[first = '', most = 0] = []] = [...counts].sort(([, a], [, b]) => b - a)
      for (const [term, count] of counts)
        assert.ok(
          Math.abs(
            (weights.get(term) ?? 0) / (weights.get(first) ?? 0) - (1 + Math.log(count)) / (1 + Math.log(most)),
          ) < 1e-9,
          term,
        )
    })
})
