import { expect } from 'chai'
import { numberedSlug, removeAccents, sanitizeTitle } from '../../cms/content/slug.ts'

describe('sanitizeTitle', () => {
  // What WordPress 6 answers for sanitize_title($title, '', 'save').
  const cases: [title: string, slug: string][] = [
    ['Hello world!', 'hello-world'],
    ['  Many   spaces -- and – dashes — here ', 'many-spaces-and-dashes-here'],
    ['Über Straße', 'uber-strase'],
    ['Crème brûlée à l’œuf', 'creme-brulee-a-loeuf'],
    ['Smørrebrød på Ærø', 'smorrebrod-pa-aero'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['%e6%97%a5%e6%9c%ac', '%e6%97%a5%e6%9c%ac'],
    ['Ёжик', '%d1%91%d0%b6%d0%b8%d0%ba'],
    ['100% sure', '100-sure'],
    ['AT&amp;T & co', 'att-co'],
    ['a/b.c_d', 'a-b-c_d'],
    ['<b>Bold</b> move', 'bold-move'],
    ['“Quoted” … text™', 'quoted-text'],
    ['3 × 4', '3-x-4'],
    ['\u{1F600}', '%f0%9f%98%80'],
    ['?!', ''],
  ]
  for (const [title, slug] of cases)
    it(`makes “${title}” ${slug || 'nothing'}`, () => expect(sanitizeTitle(title)).to.equal(slug))

  it('drops escaped bytes that are no characters: their address could not be read', () => {
    expect(sanitizeTitle('%e2%80')).to.equal('')
    expect(sanitizeTitle('a %e6%97%a5%e2%80 b')).to.equal('a-%e6%97%a5-b')
  })

  it('writes letters as the site’s language does', () => {
    expect(sanitizeTitle('Über die Straße', 'de_DE')).to.equal('ueber-die-strasse')
    expect(sanitizeTitle('Ærø Å', 'da_DK')).to.equal('aeroe-aa')
  })

  it('changes nothing when it is asked twice', () => {
    for (const [title] of cases) expect(sanitizeTitle(sanitizeTitle(title))).to.equal(sanitizeTitle(title))
  })

  it('stays within 200 bytes, cut between characters', () => {
    const slug = sanitizeTitle('東'.repeat(100))
    expect(slug).to.equal('%e6%9d%b1'.repeat(22))
    expect(sanitizeTitle('a'.repeat(300))).to.have.length(200)
  })

  it('reads only the beginning of an endless title', () => {
    expect(sanitizeTitle('<'.repeat(100_000) + '&'.repeat(100_000))).to.equal('')
    expect(sanitizeTitle(`a${' '.repeat(100_000)}b`)).to.equal('a')
  })
})

describe('numberedSlug', () => {
  it('makes room for the number', () => {
    expect(numberedSlug('a'.repeat(200), 12)).to.equal(`${'a'.repeat(197)}-12`)
    expect(numberedSlug('%e6%9d%b1'.repeat(22), 2)).to.equal(`${'%e6%9d%b1'.repeat(22)}-2`)
  })
})

describe('removeAccents', () => {
  it('leaves other scripts alone', () => {
    expect(removeAccents('й έ が')).to.equal('й έ が')
  })
})
