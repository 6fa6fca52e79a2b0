import type { ExtensionHost } from 'pentad'

/** Labels of products in the admin, and of their archive. */
export const productLabels = ({ __ }: Pick<ExtensionHost, '__'>) => ({
  label: __('Products', 'store'),
  singularLabel: __('Product', 'store'),
  labels: {
    add_new_item: __('Add New Product', 'store'),
    edit_item: __('Edit Product', 'store'),
    view_item: __('View Product', 'store'),
    search_items: __('Search Products', 'store'),
    not_found: __('No products found.', 'store'),
    not_found_in_trash: __('No products found in Trash.', 'store'),
    all_items: __('All Products', 'store'),
    attributes: __('Product Attributes', 'store'),
    items_list: __('Products list', 'store'),
    item_updated: __('Product updated.', 'store'),
    item_published: __('Product published.', 'store'),
    item_published_privately: __('Product published privately.', 'store'),
    item_scheduled: __('Product scheduled.', 'store'),
  },
})

/** Labels of variations in the admin. */
export const variationLabels = ({ __ }: Pick<ExtensionHost, '__'>) => ({
  label: __('Variations', 'store'),
  singularLabel: __('Variation', 'store'),
  labels: {
    add_new_item: __('Add New Variation', 'store'),
    edit_item: __('Edit Variation', 'store'),
    view_item: __('View Variation', 'store'),
    search_items: __('Search Variations', 'store'),
    not_found: __('No variations found.', 'store'),
    not_found_in_trash: __('No variations found in Trash.', 'store'),
    all_items: __('All Variations', 'store'),
    parent_item_colon: __('Parent Variation:', 'store'),
    attributes: __('Variation Attributes', 'store'),
    items_list: __('Variations list', 'store'),
    item_updated: __('Variation updated.', 'store'),
    item_published: __('Variation published.', 'store'),
    item_published_privately: __('Variation published privately.', 'store'),
    item_scheduled: __('Variation scheduled.', 'store'),
  },
})
