import { finishCode } from './code.js';
import { offerMembers } from './expand.js';
import { listPages, showContents } from './navigation.js';
import { movePictures } from './picture.js';
import { listenForSearch } from './search.js';
import { restoreTheme, showTheme } from './theme.js';

// The script of the static site. Pages can be read without it.

restoreTheme();
document.addEventListener('DOMContentLoaded', () => {
  showTheme();
  finishCode();
  showContents();
  movePictures();
  listenForSearch();
  void listPages();
  void offerMembers();
});
