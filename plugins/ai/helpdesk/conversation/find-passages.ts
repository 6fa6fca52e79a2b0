import { type ExtensionHost, loadLanguages, type Post, plainText } from 'pentad'
import { cutPassages, type Passage, topicOf } from './passages.ts'

/** Maximum number of posts searched. */
const POSTS = 8
/** Maximum number of passages sent to the model, and per post. */
const MOST_PASSAGES = 6
const MOST_OF_POST = 2
/** Weight of words of the previous question: "And on Sundays?" */
const BEFORE = 0.5

/** A passage of a public page. */
export interface FoundPassage {
  readonly title: string
  /** Absolute URL. */
  readonly url: string
  readonly text: string
}

interface Candidate {
  readonly post: Post
  readonly title: string
  readonly passage: Passage
}

/** Finds passages for a question. */
export type FindPassages = (
  question: string,
  context: { readonly before: string; readonly pageUrl: string },
) => Promise<FoundPassage[]>

/** Searches published content without a password, as an anonymous visitor. */
export function createFindPassages({ content }: Pick<ExtensionHost, 'content'>): FindPassages {
  /** The post whose page the visitor is viewing. */
  async function postAt(pageUrl: string): Promise<Post | undefined> {
    if (pageUrl === '') return undefined
    // WordPress's percent-encoding of stored paths.
    const post = await content.posts.getByPath(new URL(pageUrl).pathname.toLowerCase())
    const isOpen = post?.status === 'publish' && post.password === '' && content.postTypes().get(post.type)?.public
    return isOpen && (await content.canRead(post, null)) ? post : undefined
  }

  async function passagesOf(post: Post, terms: ReadonlySet<string>): Promise<Candidate[]> {
    const title = plainText(content.renderTitle(post))
    const passages = cutPassages(`${title}.\n${await content.publicText(post)}`, terms)
    return passages.map((passage) => ({ post, title, passage }))
  }

  return async (question, { before, pageUrl }) => {
    const detectLanguage = await loadLanguages()
    const language = detectLanguage(`${question} ${before}`, content.siteSettings().language)
    const asked = topicOf(question, language)
    const topic = new Map([...topicOf(before, language), ...asked])
    const words = [...topic].flat().join(' ')
    const found = words === '' ? [] : await content.search(words, { user: null, match: 'any', limit: POSTS })
    const here = await postAt(pageUrl)
    const posts = new Map([...found, ...(here ? [here] : [])].map((post) => [post.id, post]))
    const terms = new Set(topic.keys())
    const candidates = await Promise.all([...posts.values()].map((post) => passagesOf(post, terms)))

    const rarity = rarities(candidates.flat())
    const weight = (term: string) => (rarity.get(term) ?? 0) * (asked.has(term) ? 1 : BEFORE)
    const best = candidates.flatMap((ofPost) =>
      ofPost
        .map((one) => ({ ...one, score: one.passage.found.values().reduce((sum, term) => sum + weight(term), 0) }))
        // "What does this cost?" refers to the current page.
        .filter(({ score, post }) => score > 0 || post.id === here?.id)
        .sort(byScore)
        .slice(0, MOST_OF_POST),
    )
    const chosen = best.sort(byScore).slice(0, MOST_PASSAGES)
    return chosen.map(({ post, title, passage }) => ({ title, url: content.link(post), text: passage.text }))
  }
}

const byScore = (a: { readonly score: number }, b: { readonly score: number }) => b.score - a.score

/** Inverse document frequency of a term. */
function rarities(candidates: readonly Candidate[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { passage } of candidates) for (const term of passage.found) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map([...counts].map(([term, count]) => [term, Math.log(1 + candidates.length / count)]))
}
