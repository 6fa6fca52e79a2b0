import type { PostType } from '../types.ts'

type Labeled = Pick<PostType, 'label' | 'singularLabel' | 'hierarchical'>
type LabeledPostType = Labeled & Partial<Pick<PostType, 'labels'>>

/** Labels of a post type for editors; WordPress's `get_post_type_labels`. */
export function postTypeLabels(type: LabeledPostType): Record<string, string | null> {
  const { label, singularLabel, hierarchical, labels } = type
  const [one, many] = [singularLabel.toLowerCase(), label.toLowerCase()]
  return {
    name: label,
    singular_name: singularLabel,
    add_new: 'Add New',
    add_new_item: `Add New ${singularLabel}`,
    edit_item: `Edit ${singularLabel}`,
    new_item: `New ${singularLabel}`,
    view_item: `View ${singularLabel}`,
    view_items: `View ${label}`,
    search_items: `Search ${label}`,
    not_found: `No ${many} found.`,
    not_found_in_trash: `No ${many} found in Trash.`,
    parent_item_colon: hierarchical ? `Parent ${singularLabel}:` : null,
    all_items: `All ${label}`,
    archives: `${singularLabel} Archives`,
    attributes: `${singularLabel} Attributes`,
    insert_into_item: `Insert into ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured image',
    set_featured_image: 'Set featured image',
    remove_featured_image: 'Remove featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter ${many} list`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `${label} list navigation`,
    items_list: `${label} list`,
    item_published: `${singularLabel} published.`,
    item_published_privately: `${singularLabel} published privately.`,
    item_reverted_to_draft: `${singularLabel} reverted to draft.`,
    item_scheduled: `${singularLabel} scheduled.`,
    item_updated: `${singularLabel} updated.`,
    item_link: `${singularLabel} Link`,
    item_link_description: `A link to ${withArticle(one)}.`,
    menu_name: label,
    name_admin_bar: singularLabel,
    ...labels,
  }
}

/** Labels of a taxonomy, WordPress's `get_taxonomy_labels`: hierarchical ones have labels for parents, flat ones for choosing terms. */
export function taxonomyLabels({ label, singularLabel, hierarchical }: Labeled): Record<string, string | null> {
  const [one, many] = [singularLabel.toLowerCase(), label.toLowerCase()]
  const inTree = (text: string) => (hierarchical ? text : null)
  const flat = (text: string) => (hierarchical ? null : text)
  return {
    name: label,
    singular_name: singularLabel,
    search_items: `Search ${label}`,
    popular_items: flat(`Popular ${label}`),
    all_items: `All ${label}`,
    parent_item: inTree(`Parent ${singularLabel}`),
    parent_item_colon: inTree(`Parent ${singularLabel}:`),
    edit_item: `Edit ${singularLabel}`,
    view_item: `View ${singularLabel}`,
    update_item: `Update ${singularLabel}`,
    add_new_item: `Add New ${singularLabel}`,
    new_item_name: `New ${singularLabel} Name`,
    separate_items_with_commas: flat(`Separate ${many} with commas`),
    add_or_remove_items: flat(`Add or remove ${many}`),
    choose_from_most_used: flat(`Choose from the most used ${many}`),
    not_found: `No ${many} found.`,
    no_terms: `No ${many}`,
    filter_by_item: inTree(`Filter by ${one}`),
    items_list_navigation: `${label} list navigation`,
    items_list: `${label} list`,
    most_used: 'Most Used',
    back_to_items: `← Go to ${label}`,
    item_link: `${singularLabel} Link`,
    item_link_description: `A link to ${withArticle(one)}.`,
    menu_name: label,
    name_admin_bar: singularLabel,
  }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
