import { expect } from 'chai'
import { findUrls } from '../../cms/content/render/find-urls.ts'

/** Large enough that a search which takes the square of a text's length would take minutes. */
const MANY = 200_000

describe('findUrls', () => {
  it('finds bare URLs and those of [embed], in order', () => {
    const text =
      'https://a.test/1\n[embed width=3]https://b.test/?x=1&amp;y=2[/embed]\r\n  https://c.test/  \r\n[[embed]https://d.test/[/embed]]'
    expect(findUrls(text).map(({ url, attributes }) => [url, attributes])).to.deep.equal([
      ['https://a.test/1', undefined],
      ['https://b.test/?x=1&y=2', { width: '3' }],
      ['https://c.test/', undefined],
    ])
    for (const { url, start, end } of findUrls(text).filter((found) => found.attributes === undefined))
      expect(text.slice(start, end)).to.equal(url)
  })

  it('finds a URL alone on its line in [embed] once', () => {
    expect(findUrls('[embed]\nhttps://a.test/1\n[/embed]')).to.have.length(1)
  })

  it('takes time in proportion to the text', () => {
    for (const piece of [
      '>  ',
      '> https://a.test/ ',
      '<p ',
      '<p> https://a.test/',
      '\nhttps://a.test/<',
      'https://',
      '[embed]',
      '[embed',
      '[embed]\nhttps://a.test/\n',
      '<pre>\nhttps://a.test/\n',
      '\n\n  ',
      '</p>> https://a.test/ </p>',
    ]) {
      expect(findUrls(`https://a.test/\n${piece.repeat(MANY)}`).length, piece).to.be.at.most(100)
    }
  })
})
