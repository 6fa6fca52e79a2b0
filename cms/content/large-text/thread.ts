import { RestError } from '../../../core/errors.ts'
import type { LargeTextResult, LargeTextTask } from './index.ts'

/** Entry of the thread for large texts. Each task loads only the modules that it needs. */
export default async function run(task: LargeTextTask): Promise<LargeTextResult> {
  try {
    return await work(task)
  } catch (error) {
    if (!(error instanceof RestError)) throw error
    return { kind: 'refused', code: error.code, message: error.message, status: error.status }
  }
}

async function work(task: LargeTextTask): Promise<LargeTextResult> {
  switch (task.kind) {
    case 'clean': {
      const { cleanPostHtml } = await import('../sanitize-post.ts')
      return { kind: 'clean', text: cleanPostHtml(task.html) }
    }
    case 'paragraphs': {
      const { toParagraphs } = await import('../render/autop.ts')
      return { kind: 'paragraphs', text: toParagraphs(task.text) }
    }
    case 'smilies': {
      const { convertSmilies } = await import('../render/smilies.ts')
      return { kind: 'smilies', text: convertSmilies(task.html) }
    }
    case 'texturize': {
      const { texturize } = await import('../render/texturize.ts')
      return { kind: 'texturize', text: texturize(task.html, task.rules) }
    }
    case 'search': {
      const { toSearchDocument } = await import('../search/document.ts')
      return { kind: 'search', document: toSearchDocument(task.database, task.texts) }
    }
  }
}
