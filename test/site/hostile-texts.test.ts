import { attachmentTags } from '../../cms/site/page/tags.ts'
import { createHighlight } from '../../cms/site/view/highlight.ts'
import { itCostsInProportion } from '../host/proportional.ts'

describe('A hostile text on a page costs in proportion to its length', () => {
  itCostsInProportion('attachmentTags', (text) => attachmentTags(text, text))
  itCostsInProportion('highlight', (text) => createHighlight('this a x')(text))
})
