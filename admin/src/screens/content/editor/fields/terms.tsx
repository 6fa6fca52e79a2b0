import { can } from '../../../../page-data.ts'
import { Section } from '../../../../parts/section.tsx'
import type { ContentTaxonomy } from '../../types.ts'
import type { Edited } from '../use-edited.ts'
import { CategoryTree } from './category-tree.tsx'
import { TagInput } from './tag-input.tsx'

/** The terms of a post, for every taxonomy of its type. */
export function Terms({ taxonomies, edited }: { taxonomies: readonly ContentTaxonomy[]; edited: Edited }) {
  const { fields, setTerms } = edited
  return taxonomies
    .filter(({ capabilities }) => can(capabilities.assign_terms ?? 'edit_posts'))
    .map((taxonomy) => {
      const { rest_base: base, name, hierarchical } = taxonomy
      const onChange = (ids: readonly number[]) => setTerms(base, ids)
      const shared = { taxonomy, chosen: fields.terms[base] ?? [], onChange }
      return (
        <Section key={base} title={name}>
          {hierarchical ? <CategoryTree {...shared} /> : <TagInput {...shared} />}
        </Section>
      )
    })
}
