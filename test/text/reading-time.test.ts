import { equal } from 'node:assert/strict'
import { readingTime } from '../../cms/text/reading-time.ts'

describe('readingTime', () => {
  it('counts words, rounded up to minutes, but not tags and block comments', () => {
    const words = (count: number) => '<!-- wp:paragraph {"a":"b c"} --><p class="x y z">don’t </p>'.repeat(count)
    equal(readingTime(words(1)), 1)
    equal(readingTime(words(189)), 1)
    equal(readingTime(words(190)), 2)
    equal(readingTime('<p>…</p><img alt="a hill">'), 0)
  })

  it('counts two characters of scripts without spaces as a word', () => {
    equal(readingTime('山'.repeat(378)), 1)
    equal(readingTime('山'.repeat(380)), 2)
  })

  it('follows from the length of very long texts', () => {
    equal(readingTime('walk '.repeat(189_000)), 1000)
  })
})
