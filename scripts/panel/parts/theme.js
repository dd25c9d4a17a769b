// The live preview of the theme page.
const preview = document.getElementById('preview');
if (preview) {
  for (const input of document.querySelectorAll('[data-preview]')) {
    input.addEventListener('input', () => {
      const [attribute, color] = [input.dataset.preview, input.value];
      if (attribute === 'font') return preview.setAttribute('font-family', color || 'sans-serif');
      if (!/^#[0-9a-f]{6}$/i.test(color)) return;
      for (const part of preview.querySelectorAll(`[data-color="${attribute}"]`))
        part.setAttribute('fill', color);
    });
  }
}
