<?php
/**
 * Installs WordPress and imports an export file (WXR): php wordpress-import.php SITE URL EXPORT PASSWORD. Prints an application password.
 * Only what the measured pages show: authors, terms, posts of all types with meta, comments.
 */
[, $folder, $url, $export, $password] = $argv;
$_SERVER['HTTP_HOST'] = preg_replace('#^https?://#', '', $url);
$_SERVER['REQUEST_URI'] = '/';
define('WP_INSTALLING', true);
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

$channel = simplexml_load_file($export)->channel;
$of = fn($element, $name) => (string) $element->children('wp', true)->$name;
wp_install((string) $channel->title, 'admin', 'admin@example.org', true, '', $password);
update_option('permalink_structure', '/%postname%/');
update_option('blogdescription', (string) $channel->description);
foreach (get_posts(['post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1]) as $post) wp_delete_post($post->ID, true);
$old_url = $of($channel, 'base_site_url');
$localize = fn($text) => str_replace($old_url, $url, (string) $text);

$authors = ['admin' => 1];
foreach ($channel->children('wp', true)->author as $author) {
  $login = (string) $author->author_login;
  $authors[$login] ??= wp_insert_user(['user_login' => $login, 'user_pass' => wp_generate_password(), 'role' => 'author',
    'user_email' => (string) $author->author_email, 'display_name' => (string) $author->author_display_name]);
}
$terms = [];
foreach ($channel->children('wp', true)->category as $category) {
  $parent = $terms['category'][(string) $category->category_parent] ?? 0;
  $slug = (string) $category->category_nicename;
  $found = get_term_by('slug', $slug, 'category');
  $terms['category'][$slug] = $found ? $found->term_id : wp_insert_term(wp_slash((string) $category->cat_name), 'category',
    ['slug' => $slug, 'parent' => $parent, 'description' => (string) $category->category_description])['term_id'];
}
foreach ($channel->item as $item) {
  $type = $of($item, 'post_type');
  $id = wp_insert_post(wp_slash([
    'import_id' => (int) $of($item, 'post_id'), 'post_type' => $type, 'post_status' => $of($item, 'status'),
    'post_author' => $authors[(string) $item->children('dc', true)->creator] ?? 1, 'post_parent' => (int) $of($item, 'post_parent'),
    'post_title' => (string) $item->title, 'post_name' => $of($item, 'post_name'), 'menu_order' => (int) $of($item, 'menu_order'),
    'post_content' => $localize($item->children('content', true)->encoded), 'post_excerpt' => (string) $item->children('excerpt', true)->encoded,
    'post_date' => $of($item, 'post_date'), 'post_password' => $of($item, 'post_password'), 'comment_status' => $of($item, 'comment_status'),
    'guid' => $localize($item->guid), 'post_mime_type' => $type === 'attachment' ? wp_check_filetype($of($item, 'attachment_url'))['type'] : '',
  ]));
  foreach ($item->category as $term) {
    $taxonomy = (string) $term['domain'];
    if (!taxonomy_exists($taxonomy)) continue;
    $found = $terms[$taxonomy][(string) $term['nicename']] ?? (int) (term_exists((string) $term, $taxonomy)['term_id'] ?? 0);
    if (!$found) $found = wp_insert_term(wp_slash((string) $term), $taxonomy, ['slug' => (string) $term['nicename']])['term_id'];
    $terms[$taxonomy][(string) $term['nicename']] = $found;
    wp_set_object_terms($id, (int) $found, $taxonomy, $type === 'post' && $taxonomy === 'category' ? false : true);
  }
  foreach ($item->children('wp', true)->postmeta as $meta)
    update_post_meta($id, (string) $meta->meta_key, wp_slash(maybe_unserialize((string) $meta->meta_value)));
  foreach ($item->children('wp', true)->comment as $comment)
    wp_insert_comment(wp_slash(['comment_post_ID' => $id, 'comment_author' => (string) $comment->comment_author,
      'comment_author_email' => (string) $comment->comment_author_email, 'comment_content' => (string) $comment->comment_content,
      'comment_date' => (string) $comment->comment_date, 'comment_approved' => (string) $comment->comment_approved]));
  if ($of($item, 'is_sticky') === '1') stick_post($id);
}
flush_rewrite_rules();
echo WP_Application_Passwords::create_new_application_password(1, ['name' => 'bench'])[0];
