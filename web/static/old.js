      // In the words of old browsers: who cannot run the page is told what is missing, instead of nothing at all.
      (function () {
        // Browsers load no program code from files (file://): say how to open the page instead.
        if (location.protocol === "file:") {
          var how = document.createElement("p");
          how.setAttribute("role", "alert");
          how.setAttribute("data-engine", "file");
          how.setAttribute("style", "margin:0;padding:24px;background:#241811;color:#f4e9d0;font:16px/1.6 sans-serif");
          how.textContent = "ファイルを直接開いても動きません。このフォルダーで「python3 -m http.server 8000」を実行し、http://localhost:8000/ を開いてください。 / This page does not work when its file is opened directly. Run \"python3 -m http.server 8000\" in this folder and open http://localhost:8000/.";
          document.body.insertBefore(how, document.body.firstChild);
          return;
        }
        var lacks = [];
        function newer(code) { try { new Function(code); return true; } catch (error) { return false; } }
        if (!("noModule" in document.createElement("script")) || !newer("class A { #a = 1; static { } }; a?.b ?? 1")) lacks.push("JavaScript (ES2022)");
        if (typeof WebAssembly !== "object") lacks.push("WebAssembly");
        if (typeof Worker !== "function") lacks.push("Web Workers");
        if (typeof BroadcastChannel !== "function") lacks.push("BroadcastChannel");
        if (typeof indexedDB !== "object") lacks.push("IndexedDB");
        if (typeof DecompressionStream !== "function") lacks.push("DecompressionStream");
        if (!lacks.length) return;
        var told = document.createElement("p");
        told.setAttribute("role", "alert");
        told.setAttribute("data-engine", "old");
        told.setAttribute("style", "position:fixed;left:0;right:0;top:0;z-index:99;margin:0;padding:18px;background:#241811;color:#f4e9d0;font:16px/1.6 sans-serif");
        told.textContent = "このブラウザは古く、遊べません。足りないもの：" + lacks.join("、") + "。新しいブラウザでお試しください。 / This browser is too old to play. It lacks " + lacks.join(", ") + ". Please use a newer one.";
        document.body.appendChild(told);
      })();
