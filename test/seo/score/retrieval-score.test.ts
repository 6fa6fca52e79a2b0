import { expect } from 'chai'
import type { NewPost } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { LICENSED } from '../license.ts'
import { openSeoSite } from '../seo-site.ts'

const SCORE = '/wp-json/seo/v1/retrieval-score'

interface Signal {
  readonly id: string
  readonly points: number
  readonly maximum: number
  readonly explanation: string
  readonly examples: readonly string[]
}

const IDS = ['passageSize', 'selfContained', 'questionHeadings', 'answerFirst', 'listsAndTables']
const words = (count: number, word = 'word') => Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')
const ENGLISH = 'The boiler of the machine heats the water that is in it, and then keeps it hot for a very long time.'
const p = (text: string) => `<p>${text}</p>`

describe('GET /seo/v1/retrieval-score', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite({ config: LICENSED })
  })
  after(() => site.close())

  async function write(post: NewPost): Promise<number> {
    const { id } = await site.host.content.posts.insert({ type: 'post', status: 'publish', title: 'Title', ...post })
    return id
  }
  const ask = (query: string, as?: string) => site.get(`${SCORE}?${query}`, as === undefined ? {} : { as })

  async function score(content: string, title = 'Title') {
    const answer = await ask(`postId=${await write({ title, content })}`, 'administrator')
    expect(answer.status).to.equal(200)
    const { data } = JSON.parse(await answer.text())
    const signals: Signal[] = data.signals
    expect(signals.map(({ id }) => id)).to.deep.equal(IDS)
    expect(data.score).to.equal(signals.reduce((sum, { points }) => sum + points, 0))
    return { total: data.score, of: (id: string) => signals.find((signal) => signal.id === id) }
  }
  const points = async (id: string, content: string, title?: string) => (await score(content, title)).of(id)?.points

  describe('is available to users who may edit the post', () => {
    const codeOf = async (answer: Response) => ({ status: answer.status, code: JSON.parse(await answer.text()).code })

    it('an author scores drafts of their own, and no other posts', async () => {
      const author = await (await site.request('/wp-json/wp/v2/users/me', { as: 'author' })).json()
      const own = await write({ status: 'draft', authorId: Number(Object(author).id) })
      const others = await write({ status: 'draft', authorId: 1 })
      expect((await ask(`postId=${own}`, 'author')).status).to.equal(200)
      expect(await codeOf(await ask(`postId=${others}`, 'author'))).to.deep.equal({
        status: 403,
        code: 'rest_forbidden',
      })
      expect((await ask(`postId=${others}`, 'editor')).status).to.equal(200)
    })

    it('does not reveal to others whether the post exists', async () => {
      for (const id of [await write({}), 4711]) {
        expect(await codeOf(await ask(`postId=${id}`))).to.deep.equal({ status: 401, code: 'rest_forbidden' })
        expect(await codeOf(await ask(`postId=${id}`, 'subscriber'))).to.deep.equal({
          status: 403,
          code: 'rest_forbidden',
        })
      }
    })

    for (const [query, status, code] of [
      ['', 400, 'rest_missing_callback_param'],
      ['postId=1abc', 400, 'rest_invalid_param'],
      ['postId=-1', 400, 'rest_invalid_param'],
      ['postId=4711', 404, 'post_not_found'],
    ] as const)
      it(`answers ${status} ${code} to "${query}"`, async () => {
        expect(await codeOf(await ask(query, 'author'))).to.deep.equal({ status, code })
      })

    it('not of what is in the trash', async () => {
      const id = await write({ status: 'trash' })
      expect((await ask(`postId=${id}`, 'administrator')).status).to.equal(404)
    })

    it('exists with a license only', async () => {
      const free = await openSeoSite()
      const answer = await free.get(`${SCORE}?postId=1`, { as: 'administrator' })
      expect(await codeOf(answer)).to.deep.equal({ status: 404, code: 'rest_no_route' })
      await free.close()
    })
  })

  it('gives an empty post nothing', async () => {
    for (const content of ['', '<!-- wp:paragraph --><p></p><!-- /wp:paragraph -->', '<h2></h2><h2> &nbsp; </h2>'])
      expect((await score(content)).total, content).to.equal(0)
  })

  it('gives a post that answers its title all ten points', async () => {
    const content = `
      <p>To descale an espresso machine, fill the tank with a descaler, run half of it through, wait for twenty
      minutes, run the rest and rinse twice with fresh water. Plan an hour for all of it.</p>
      <p>${words(40)}</p>
      <h2>How often does an espresso machine need it?</h2><p>${words(60)}</p>
      <ul><li>soft water: twice a year</li><li>hard water: monthly</li></ul>
      <h2>Which descaler is best?</h2><p>${words(60)}</p>
      <table><tr><th>Acid</th><th>Time</th></tr><tr><td>citric</td><td>40 min</td></tr></table>`
    expect((await score(content, 'How to descale an espresso machine')).total).to.equal(10)
  })

  describe('passageSize', () => {
    for (const [count, expected] of [
      [39, 0],
      [40, 2],
      [220, 2],
      [221, 0],
    ] as const)
      it(`gives ${expected} points for a section of ${count} words`, async () => {
        expect(await points('passageSize', p(words(count)))).to.equal(expected)
      })

    it('gives one point where half of the sections are right, and names the others', async () => {
      const { of } = await score(`${p(words(100))}<h2>Short one</h2>${p(words(5))}`)
      expect(of('passageSize')?.points).to.equal(1)
      expect(of('passageSize')?.examples).to.deep.equal(['Short one (5 words)'])
    })

    it('counts no comments, scripts, styles and unknown shortcodes', async () => {
      const noise = `<!-- ${words(50)} --><script>${words(50)}</script><style>${words(50)}</style>[form ${words(50)}]`
      expect(await points('passageSize', p(words(39)) + noise)).to.equal(0)
    })

    it('counts words where no blanks are', async () => {
      const sentence = '今天天气很好，我们去公园散步，然后在咖啡馆里喝咖啡。'
      expect(await points('passageSize', p(sentence))).to.equal(0)
      expect(await points('passageSize', p(sentence.repeat(4)))).to.equal(2)
    })
  })

  describe('selfContained', () => {
    for (const [language, whole, bound] of [
      [
        'English',
        'The boiler of the machine heats the water and keeps it hot for a long time.',
        'This heats the water and keeps it hot for a long time.',
      ],
      [
        'German',
        'Der Kessel der Maschine erhitzt das Wasser und hält es lange Zeit heiß.',
        'Dieser erhitzt das Wasser und hält es für eine lange Zeit heiß.',
      ],
      [
        'French',
        'La chaudière de la machine chauffe l’eau et la garde longtemps au chaud.',
        'Elle chauffe l’eau de la machine et la garde longtemps au chaud.',
      ],
      ['Chinese', '锅炉把水加热，并且让水保持很长时间的温度。', '这把水加热，并且让水保持很长时间的温度。'],
      [
        'Japanese',
        'ボイラーは水を温めて、長い時間その温度を保ちます。',
        'これは水を温めて、長い時間その温度を保ちます。',
      ],
      ['Arabic', 'الغلاية تسخن الماء وتحافظ على حرارته لوقت طويل.', 'هذه تسخن الماء وتحافظ على حرارته لوقت طويل.'],
    ] as const)
      it(`knows words that point back in ${language}`, async () => {
        expect(await points('selfContained', p(whole))).to.equal(2)
        const { of } = await score(p(bound))
        expect(of('selfContained')?.points).to.equal(0)
        expect(of('selfContained')?.examples).to.deep.equal([bound])
      })
  })

  describe('questionHeadings', () => {
    for (const heading of [
      'How it works',
      'Is it safe?',
      '1. What you need',
      '¿Cómo funciona?',
      'どうやって作る？',
      'ما هو الضغط؟',
    ])
      it(`takes “${heading}” for a question`, async () => {
        expect(await points('questionHeadings', `<h2>${heading}</h2>${p(ENGLISH)}`)).to.equal(2)
      })

    for (const heading of ['Howard’s end', 'Whatsoever', 'The answer'])
      it(`does not take “${heading}” for one`, async () => {
        expect(await points('questionHeadings', `<h2>${heading}</h2>${p(ENGLISH)}`)).to.equal(0)
      })

    it('gives one point where few headings ask', async () => {
      const statements = ['One', 'Two', 'Three'].map((text) => `<h3>${text}</h3>${p('x')}`).join('')
      expect(await points('questionHeadings', `<h1>What?</h1>${p('x')}${statements}`)).to.equal(1)
    })
  })

  describe('answerFirst', () => {
    const title = 'Descaling espresso machines'
    const opening = `Descaling an espresso machine takes an hour: ${words(20)}.`
    for (const [name, content, expected] of [
      ['an opening that answers', p(opening), 2],
      ['one that is too short', p('Descaling an espresso machine takes an hour.'), 1],
      ['one that is too long', p(`${opening} ${words(60)}`), 1],
      ['one about something else', p(words(30)), 1],
      ['one that asks', p(`What does descaling an espresso machine take, ${words(20)}?`), 1],
      ['one after the first heading', `<h2>More</h2>${p(opening)}`, 2],
      ['nothing but a picture', '<figure><img src="/a.png" alt="Descaling an espresso machine"></figure>', 0],
    ] as const)
      it(`gives ${expected} points for ${name}`, async () => {
        expect(await points('answerFirst', content, title)).to.equal(expected)
      })
  })

  describe('listsAndTables', () => {
    const list = '<ul><li>one</li><li>two</li></ul>'
    const table = '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>'
    for (const [name, content, expected] of [
      ['a list', list, 1],
      ['a list and a table', list + table, 2],
      ['two lists', list + list, 2],
      ['a list in a list', `<ul><li>one ${list}</li><li>two</li></ul>`, 1],
      ['a list of one item', '<ul><li>one</li></ul>', 0],
      ['an empty list', '<ul><li></li><li></li></ul>', 0],
      ['a table for the layout', table.replace('<table', '<table role="presentation"'), 0],
      ['a table of one column', '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>', 0],
      ['a list of links to other pages', `<nav>${list}</nav>`, 0],
    ] as const)
      it(`gives ${expected} points for ${name}`, async () => {
        expect(await points('listsAndTables', content)).to.equal(expected)
      })
  })

  it('takes no harm from HTML that is not well-formed', async () => {
    for (const content of [
      '</ul></table></h2>',
      '<ul>'.repeat(2000),
      '<h2>'.repeat(2000),
      `<p>${'['.repeat(50_000)}`,
      `<p>${'[a '.repeat(50_000)}`,
    ])
      expect((await score(content)).total).to.be.within(0, 10)
  })
})
