import type { Responses } from '../../../../api/responses.ts'
import { __ } from '../../../../i18n.ts'
import { plainText } from '../../../../parts/plain-text.ts'
import { SearchSelect } from '../../../../parts/search-select.tsx'
import type { ContentType } from '../../types.ts'
import type { Edited } from '../use-edited.ts'

type Parent = Pick<Responses['Pages'], 'id' | 'title'>

/** The parent page. */
export function PageParent({ type, edited: { fields, post, set } }: { type: ContentType; edited: Edited }) {
  return (
    <SearchSelect<Parent>
      // The colon is for lists of WordPress; no other label has one.
      label={type.labels.parent_item_colon?.replace(/:$/, '') ?? __('Parent', 'pentad')}
      none={__('None', 'pentad')}
      route={`wp/v2/${type.rest_base}`}
      query={{ context: 'edit', status: 'any', _fields: 'id,title', orderby: 'title', order: 'asc' }}
      nameOf={({ title }) => plainText(title.rendered)}
      exclude={post ? [post.id] : []}
      value={fields.parent}
      onChange={(parent) => set({ parent })}
    />
  )
}
