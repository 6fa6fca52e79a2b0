import { expect } from 'chai'
import { createHighlight } from '../../cms/site/view/highlight.ts'
import { randomsOf } from '../support/randoms.ts'

describe('Search terms', () => {
  const random = randomsOf('highlight')
  const pick = (parts: readonly string[]) => parts[Math.floor(random() * parts.length)] ?? ''

  it('are highlighted as words, at their beginning only if they are the last one', () => {
    const highlight = createHighlight('night tra')
    expect(highlight('<p title="night">Night trains, nights &amp; &night; x&nbsp;tra</p>')).to.equal(
      '<p title="night"><mark>Night</mark> <mark>trains</mark>, nights &amp; &night; x&nbsp;<mark>tra</mark></p>',
    )
  })

  it('are highlighted beside characters beyond ASCII, in text without tags, and up to the length that the index stores', () => {
    const long = 'a'.repeat(64)
    expect(createHighlight('CAFE the')('The café – “the” CAFE, then')).to.equal(
      '<mark>The</mark> <mark>café</mark> – “<mark>the</mark>” <mark>CAFE</mark>, <mark>then</mark>',
    )
    expect(createHighlight(`${long}a x`)(`– ${long.toUpperCase()}b ${long.slice(1)}`)).to.equal(
      `– <mark>${long.toUpperCase()}b</mark> ${long.slice(1)}`,
    )
  })

  it('are highlighted alike in text with and without characters beyond ASCII', () => {
    const words = [
      'a',
      'an',
      'ant',
      'Ant',
      'AN',
      'the',
      'then',
      'x2',
      '2',
      '2x',
      'amp',
      'café',
      'a'.repeat(64),
      'a'.repeat(70),
    ]
    const gaps = [' ', '-', '&amp;', '&', ';', '&#38;', '&#X26;', '_', '.', '<b>', '</b>']
    for (let round = 0; round < 2000; round++) {
      const search = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words)).join(' ')
      const text = Array.from({ length: 8 }, () => pick(words.filter((word) => word !== 'café')) + pick(gaps)).join('')
      // The parser passes text between tags separately, so each piece has its own such character.
      const beyond = text.replace(/<\/?b>|$/g, (tag) => ` ·${tag}`)
      const marked = createHighlight(search)(beyond).replaceAll(' ·', '')
      expect(createHighlight(search)(text), `${search}: ${text}`).to.equal(marked)
    }
  })
})
