import { expect } from 'chai'
import { diffTexts } from '../../admin/src/parts/diff.ts'
import { localPath } from '../../plugins/ai/admin/copilot/local-path.ts'

const EMOJI = '👩‍👩‍👧'

describe('the differences that the copilot shows', () => {
  const kinds = (before: string, after: string) =>
    diffTexts(before, after).map(({ kind, text }) => `${{ same: '', removed: '-', added: '+' }[kind]}${text}`)

  it('are words, merged with the text between two changed ones', () => {
    expect(kinds('Morning fog', 'Morning mist')).to.deep.equal(['Morning ', '-fog', '+mist'])
    expect(kinds('a big red house', 'a small blue house')).to.deep.equal(['a ', '-big red', '+small blue', ' house'])
    expect(kinds('', 'New words')).to.deep.equal(['+New words'])
    expect(kinds('Old words', '')).to.deep.equal(['-Old words'])
    expect(kinds('The same', 'The same')).to.deep.equal(['The same'])
  })

  it('give both texts back, whatever their language and their markup', () => {
    for (const [before, after] of [
      ['<p>One &amp; two</p>', '<p>One, <em>two</em> &amp; three</p>'],
      ['שלום עולם', 'שלום לכולם'],
      [`${EMOJI} here`, `there ${EMOJI}`],
      ['a b a b a', 'b a b'],
      ['one\n\ntwo\n', 'two\n\none'],
    ] as const) {
      const parts = diffTexts(before, after)
      const of = (left: string) => parts.flatMap(({ kind, text }) => (kind === left ? [] : [text])).join('')
      expect(of('added'), after).to.equal(before)
      expect(of('removed'), before).to.equal(after)
    }
  })

  it('of long texts are lines, and of very long ones all of it', () => {
    const lines = (word: string) => Array.from({ length: 1500 }, (_, at) => `${word} ${at % 7} of ${at}\n`)
    const [one, other] = [lines('line').join(''), lines('verse').join('')]
    expect(diffTexts(one, other).map(({ kind }) => kind)).to.deep.equal(['removed', 'added'])
    const long = Array.from({ length: 3000 }, (_, at) => `w${at}`).join(' ')
    const turned = Array.from({ length: 3000 }, (_, at) => `v${at}`).join(' ')
    expect(diffTexts(long, turned)).to.deep.equal([
      { kind: 'removed', text: long },
      { kind: 'added', text: turned },
    ])
  })
})

describe('a link in an answer of the copilot', () => {
  const lead = (url: string) => localPath(url, 'https://example.org')

  it('leads somewhere on this site, whatever its path begins with', () => {
    expect(lead('/tea/?a=b#c')).to.equal('/tea/?a=b#c')
    expect(lead('https://example.org/wp-admin/posts/7')).to.equal('/wp-admin/posts/7')
    expect(lead('https://example.org//evil.example/?told')).to.equal('/evil.example/?told')
    expect(lead('/wp-admin//evil.example/')).to.equal('/wp-admin/evil.example/')
    for (const url of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'https://example.org.evil.example/'])
      expect(lead(url), url).to.equal(undefined)
  })
})
