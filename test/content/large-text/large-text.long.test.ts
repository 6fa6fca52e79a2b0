import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { createThread, type Thread } from '../../../cms/content/large-text/create-thread.ts'
import { RestError } from '../../../core/errors.ts'

describe('The thread for large texts', () => {
  const open = (limit: number) => createThread<string, string>(new URL('./unruly-thread.ts', import.meta.url), limit)
  const thread = open(60_000)

  /** What the thread answers, or status and code of the refusal. */
  async function outcome(task: string, thread: Thread<string, string>): Promise<string> {
    try {
      return await thread.run(task)
    } catch (error) {
      return error instanceof RestError ? `${error.status} ${error.code}` : String(error)
    }
  }

  it('does one task after another', async () => {
    expect(await Promise.all(['a', 'b', 'c'].map((task) => thread.run(task)))).to.deep.equal(['A', 'B', 'C'])
  })

  it('is ended where a task takes too long, and the tasks behind it get another one', async () => {
    const impatient = open(2000)
    const answers = await Promise.all(['loop', 'a', 'b'].map((task) => outcome(task, impatient)))
    expect(answers).to.deep.equal(['503 text_took_too_long', 'A', 'B'])
  })

  for (const task of ['fill', 'exit', 'throw']) {
    it(`refuses a task for which the thread ends or fails (${task}), and the next one gets another thread`, async () => {
      const answers = await Promise.all([task, 'a'].map((one) => outcome(one, thread)))
      expect(answers).to.deep.equal(['500 text_not_processed', 'A'])
    })
  }
})

describe('Saving a large text', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  it('does not keep others from writing while its words are worked out', async () => {
    const { posts } = site.host.content
    const content = 'This is a sentence. '.repeat(50_000)
    const old = await posts.insert({ title: 'Old', status: 'publish' })
    const finished: string[] = []
    const note = (name: string) => () => finished.push(name)
    await Promise.all([
      posts.insert({ title: 'New and large', content, status: 'publish' }).then(note('insert')),
      posts.update(old.id, { content }).then(note('update')),
      posts.insert({ title: 'New and small', status: 'publish' }).then(note('small')),
    ])
    expect(finished[0]).to.equal('small')
    const found = await posts.search('sentence')
    expect(found.map(({ title }) => title)).to.have.members(['Old', 'New and large'])
  })

  it('is found by the words of its stored text, despite concurrent changes', async () => {
    const { posts } = site.host.content
    const large = (word: string) => `${word} `.repeat(20_000)
    const { id } = await posts.insert({ title: 'Contested', status: 'publish' })
    await Promise.all([posts.update(id, { content: large('zebra') }), posts.update(id, { excerpt: 'a giraffe' })])
    for (const word of ['zebra', 'giraffe']) {
      expect(
        (await posts.search(word)).map((post) => post.id),
        word,
      ).to.deep.equal([id])
    }
  })
})
