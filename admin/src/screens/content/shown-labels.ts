/** The labels of post types and taxonomies that screens show. Of WordPress's own types, `npm run pot` adds them to the template. */
export const SHOWN_LABELS: readonly string[] = [
  ...['name', 'singular_name', 'add_new_item', 'edit_item', 'view_item', 'search_items', 'not_found', 'all_items'],
  ...['not_found_in_trash', 'parent_item_colon', 'attributes', 'items_list', 'item_updated', 'item_published'],
  ...['item_published_privately', 'item_scheduled', 'featured_image', 'set_featured_image', 'remove_featured_image'],
  ...['parent_item', 'new_item_name', 'separate_items_with_commas'],
]
